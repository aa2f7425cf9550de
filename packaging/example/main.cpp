// SPDX-License-Identifier: GPL-3.0-or-later
// The core as a library: reads a scenario file and prints its predicted MFU and whether it fits.
#include "core/predict/evaluate.hpp"
#include "core/scenario/scenario_json.hpp"

#include <fstream>
#include <iostream>
#include <sstream>

int main(int argc, char** argv)
{
    if (argc != 2) {
        std::cerr << "usage: utilization_of_a_run FILE.headroom\n";
        return 2;
    }
    std::ostringstream text;
    text << std::ifstream(argv[1]).rdbuf();
    const headroom::Catalog catalog = headroom::Catalog::builtIn();
    const auto read = headroom::readScenario(text.str(), catalog);
    if (!read) {
        for (const auto& diagnostic : read.error())
            std::cerr << headroom::toText(diagnostic) << '\n';
        return 1;
    }
    const auto prepared = headroom::prepare(read->scenario, catalog, headroom::Calibration::builtIn());
    if (!prepared) {
        for (const auto& diagnostic : prepared.error())
            std::cerr << headroom::toText(diagnostic) << '\n';
        return 1;
    }
    const headroom::Evaluation result = headroom::evaluate(*prepared);
    if (result.mfu)
        std::cout << "MFU " << *result.mfu * 100 << " %\n";
    std::cout << (result.fits ? "fits\n" : "does not fit\n");
    return 0;
}
