// SPDX-License-Identifier: GPL-3.0-or-later
// The user's catalogue folder, and catalogue entries as text.
#include "core/catalog/catalog_text.hpp"
#include "core/catalog/user_catalog.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <QTemporaryDir>
#include <fstream>

namespace headroom::test_catalog_user
{

namespace fs = std::filesystem;

namespace
{

void write(const fs::path& file, const std::string& text)
{
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
}

const char* const card = R"({
  // what a colleague measured
  "memory_gb": 48,
  "memory_bandwidth_gbps_bytes": 900,
  "peak_tflops": { "bf16": 200 }
})";

} // namespace

class TestCatalogUser final : public QObject
{
    Q_OBJECT
private slots:
    void textSurvivesARoundTrip()
    {
        const Catalog& c = Catalog::builtIn();
        for (const auto& a : c.accelerators()) {
            if (!a->missingFacts().empty())
                continue;
            auto again = parseAccelerator(acceleratorText(*a));
            QVERIFY2(again.has_value() && again->custom, a->id.c_str());
            again->custom = false;
            QVERIFY2(*again == *a, a->id.c_str());
        }
        for (const auto& m : c.models()) {
            auto again = parseArchitecture(architectureText(*m));
            QVERIFY2(again.has_value() && again->custom, m->id.c_str());
            again->custom = false;
            QVERIFY2(*again == *m, m->id.c_str());
        }
    }

    void aFileThatCannotBeReadToItsEndIsPassedOver()
    {
        const fs::path broken = "/proc/self/mem"; // opens, then fails as a broken disk does
        if (!fs::is_regular_file(broken))
            QSKIP("this system has no /proc");
        const QTemporaryDir folder;
        const fs::path cards = fs::path(folder.path().toStdString()) / "accelerators";
        write(cards / "mine.json", card);
        fs::create_symlink(broken, cards / "broken.json");
        const UserCatalog user = loadUserCatalog(Catalog::builtIn(), folder.path().toStdString());
        QCOMPARE(user.diagnostics.size(), std::size_t(1));
        QCOMPARE(user.diagnostics.front().code, std::string("unreadable"));
        QVERIFY(user.catalog.accelerator("mine"));
    }

    void examplesOfTheManualAreGood()
    {
        const std::string manual = test::readFile(test::sourcePath("docs/catalog.md"));
        int read = 0;
        const std::string fence = "```json\n";
        for (std::size_t at = manual.find(fence); at != std::string::npos; at = manual.find(fence, at + 1)) {
            const std::size_t begin = at + fence.size();
            const std::string text = manual.substr(begin, manual.find("```", begin) - begin);
            const bool model = text.find("\"layers\"") != std::string::npos;
            const auto accelerator = parseAccelerator(text);
            const auto architecture = parseArchitecture(text);
            QVERIFY2(model ? architecture.has_value() : accelerator.has_value(), text.c_str());
            ++read;
        }
        QCOMPARE(read, 2);
    }

    void errorsNameTheLine()
    {
        const auto read = parseAccelerator("{\n  \"memory_gb\": 48,\n  \"memory_bandwith_gbps_bytes\": 900\n}");
        QVERIFY(!read.has_value());
        QCOMPARE(read.error().front().code, std::string("unknown-key"));
        QCOMPARE(read.error().front().line, 3);
        QVERIFY2(read.error().front().hint.find("memory_bandwidth_gbps_bytes") != std::string::npos,
                 read.error().front().hint.c_str());
    }

    void folderAddsAndReplaces()
    {
        QTemporaryDir temporary;
        const fs::path folder = temporary.path().toStdString();
        write(folder / "accelerators/my-card.json", card);
        Accelerator faster = *Catalog::builtIn().accelerator("t4");
        faster.memoryGb = 17;
        write(folder / "accelerators/t4.json", acceleratorText(faster));
        write(folder / "models/tiny.json",
              R"({"id": "tiny-gpt", "layers": 2, "hidden": 64, "heads": 4, "ffn": 256, "vocab": 1000})");
        write(folder / "models/readme.txt", "not a model");
        const UserCatalog user = loadUserCatalog(Catalog::builtIn(), folder);
        QVERIFY(user.diagnostics.empty());
        QCOMPARE(user.accelerators.size(), 2U);
        QCOMPARE(user.models.size(), 1U);
        QCOMPARE(user.models.at("tiny-gpt"), folder / "models/tiny.json");
        QVERIFY(user.catalog.accelerator("my-card") != nullptr && user.catalog.accelerator("my-card")->custom);
        QCOMPARE(user.catalog.accelerator("t4")->memoryGb, 17.0);
        QVERIFY(user.catalog.accelerator("t4")->custom && !Catalog::builtIn().accelerator("t4")->custom);
        QVERIFY(user.catalog.model("tiny-gpt") != nullptr && user.catalog.model("tiny") == nullptr);
        QCOMPARE(user.catalog.accelerators().size(), Catalog::builtIn().accelerators().size() + 1);
    }

    void badFilesAreSkippedAndNamed()
    {
        QTemporaryDir temporary;
        const fs::path folder = temporary.path().toStdString();
        write(folder / "accelerators/a-broken.json", "{\"memory_gb\": ");
        write(folder / "accelerators/b-good.json", card);
        write(folder / "accelerators/c-huge.json", std::string((1u << 20) + 1, ' '));
        write(folder / "models/empty.json", "");
        write(folder / "models/half.json", R"({"layers": 2})");
        fs::create_directories(folder / "models/folder.json");
        const UserCatalog user = loadUserCatalog(Catalog::builtIn(), folder);
        QCOMPARE(user.accelerators.size(), 1U);
        QVERIFY(user.models.empty());
        std::vector<std::string> files;
        for (const Diagnostic& d : user.diagnostics)
            if (const auto name = fs::path(d.file).filename().string(); files.empty() || files.back() != name)
                files.push_back(name);
        QCOMPARE(files, (std::vector<std::string>{"a-broken.json", "c-huge.json", "empty.json", "half.json"}));
    }

    void anIdIsGivenOnce()
    {
        QTemporaryDir temporary;
        const fs::path folder = temporary.path().toStdString();
        write(folder / "accelerators/a.json", std::string(R"({"id": "Twin", )") + std::string(card).substr(1));
        write(folder / "accelerators/twin.json", card);
        const UserCatalog user = loadUserCatalog(Catalog::builtIn(), folder);
        QCOMPARE(user.accelerators.size(), 1U);
        QCOMPARE(user.accelerators.at("Twin"), folder / "accelerators/a.json");
        QCOMPARE(user.diagnostics.size(), 1U);
        QCOMPARE(user.diagnostics.front().code, std::string("duplicate-id"));
        QVERIFY(user.diagnostics.front().message.find("a.json") != std::string::npos);
        QCOMPARE(fs::path(user.diagnostics.front().file), folder / "accelerators/twin.json");
    }

    void noFolderIsAnEmptyOne()
    {
        const UserCatalog user = loadUserCatalog(Catalog::builtIn(), "/nonexistent/headroom");
        QVERIFY(user.diagnostics.empty() && user.accelerators.empty() && user.models.empty());
        QCOMPARE(user.catalog.models().size(), Catalog::builtIn().models().size());
    }
};
HEADROOM_TEST(TestCatalogUser)

} // namespace headroom::test_catalog_user
#include "test_catalog_user.moc"
