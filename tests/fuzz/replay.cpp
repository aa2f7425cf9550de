// SPDX-License-Identifier: GPL-3.0-or-later
// Feeds files to a fuzz target once more, in every build: what the fuzzer found stays found.
// Usage: fuzz_NAME FILE_OR_FOLDER…   Each file goes in whole, cut in the middle, and with one byte changed here and
// there.
#include "tests/fuzz/fuzz.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace
{

void fuzzAllWays(std::string_view input)
{
    for (unsigned way = 0; way < headroom::fuzz::ways; ++way)
        headroom::fuzz::feed(input, way);
}

void replay(const std::string& text, unsigned seed)
{
    fuzzAllWays(text);
    fuzzAllWays(std::string_view(text).substr(0, text.size() / 2));
    std::mt19937 random(seed);
    for (int i = 0; i < 16 && !text.empty(); ++i) {
        std::string changed = text;
        changed[random() % changed.size()] = static_cast<char>(random() % 256);
        fuzzAllWays(changed);
    }
}

} // namespace

int main(int count, char** arguments)
{
    std::vector<std::filesystem::path> files;
    for (int i = 1; i < count; ++i) {
        if (std::filesystem::is_directory(arguments[i])) {
            for (const auto& entry : std::filesystem::recursive_directory_iterator(arguments[i]))
                if (entry.is_regular_file())
                    files.push_back(entry.path());
        } else if (std::filesystem::exists(arguments[i])) {
            files.emplace_back(arguments[i]);
        }
    }
    if (files.empty()) {
        std::fprintf(stderr, "replay: no file to feed\n");
        return 2;
    }
    unsigned seed = 1;
    for (const std::filesystem::path& file : files) {
        std::ifstream stream(file, std::ios::binary);
        // Said before, so that a crash is known by its file.
        std::fprintf(stderr, "%s\n", file.filename().string().c_str());
        replay({std::istreambuf_iterator<char>(stream), {}}, seed++);
    }
    std::printf("%zu files\n", files.size());
    return 0;
}
