// SPDX-License-Identifier: GPL-3.0-or-later
// What a result assumes or leaves out is said in the window: every warning that core can raise, in both languages.
#include "tests/support/keyboard.hpp"
#include "tests/support/program.hpp"
#include "ui/base/text.hpp"
#include "ui/panels/explanation.hpp"
#include "ui/panels/message_bar.hpp"
#include "ui/panels/notes_popup.hpp"
#include "ui/panels/status_line.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/settings/language.hpp"

#include "core/scenario/scenario_json.hpp"
#include "ui/document/report_html.hpp"
#include "ui/parameters/row_notice.hpp"

#include <QRegularExpression>
#include <QTextDocument>
#include <QToolButton>

namespace headroom::ui::test_notes
{

using headroom::test::press;
using headroom::test::WindowFixture;

namespace
{

struct Raised {
    WarningCode code;
    const char* model;    ///< JSON
    const char* hardware; ///< keys
    const char* workload; ///< keys
    const char* more = "";
};

constexpr const char* llama = "\"llama-3-8b\"";
constexpr const char* h100 = R"("accelerator": "h100-sxm-80gb", "count": 8)";
constexpr const char* sixteen = R"("accelerator": "h100-sxm-80gb", "count": 16)";
constexpr const char* many = R"("accelerator": "h100-sxm-80gb", "count": 48)";
constexpr const char* apart = R"("task": "inference", "batch": 64, "prompt_tokens": 2000, "output_tokens": 400, )"
                              R"("scheduling": "disaggregated")";

/// A scenario for each code, as a file that somebody opens.
constexpr std::array scenarios{
    Raised{WarningCode::LayersNotDivisible, llama, many, R"("task": "training")",
           R"(, "parallelism": {"pipeline": 6})"},
    Raised{WarningCode::HeadsNotDivisible, llama, many, R"("task": "training")", R"(, "parallelism": {"tensor": 6})"},
    Raised{WarningCode::ExpertsNotDivisible, "\"mixtral-8x7b\"", R"("accelerator": "h100-sxm-80gb", "count": 6)",
           R"("task": "training")", R"(, "parallelism": {"expert": 3})"},
    Raised{WarningCode::BeyondMaxContext, llama, h100, R"("task": "training", "sequence_length": 16384)"},
    Raised{WarningCode::ExpertGroupTooLarge, "\"mixtral-8x7b\"", R"("accelerator": "h100-sxm-80gb", "count": 6)",
           R"("task": "training")", R"(, "parallelism": {"expert": 8})"},
    Raised{WarningCode::PrecisionUnavailable, llama, R"("accelerator": "a100-sxm-80gb", "count": 8)",
           R"("task": "training", "precision": "fp8")"},
    Raised{WarningCode::MfuOverOne, "\"gemma-3-1b\"", R"("accelerator": "h100-sxm-80gb", "count": 1)",
           R"("task": "inference")", R"(, "accounting": "causal", "efficiency": {"prefill": 10})"},
    Raised{WarningCode::NicAssumed, llama, R"("accelerator": "rtx-4090", "count": 16, "per_node": 8)",
           R"("task": "training")"},
    Raised{WarningCode::HostLinkAssumed, llama, R"("accelerator": "tpu-v2", "count": 4)",
           R"("task": "training", "offload": "optimizer")"},
    Raised{WarningCode::SoftwareWithoutFit, llama, h100, R"("task": "inference", "software": "tgi")"},
    Raised{WarningCode::FamilyWithoutFit, llama, R"("accelerator": "rtx-4090", "count": 16)", R"("task": "training")"},
    Raised{WarningCode::EfficiencyOverridden, llama, h100, R"("task": "training")",
           R"(, "efficiency": {"matmul": 0.9})"},
    Raised{WarningCode::MeasurementsDisagree, llama, h100, R"("task": "training")",
           R"(, "measured": {"step_time_s": 5, "tokens_per_s": 9000})"},
    Raised{WarningCode::ModelInexact, R"({"id": "llama-3-8b", "exact": false})", h100, R"("task": "training")"},
    Raised{WarningCode::BatchLimitedByMemory, llama, R"("accelerator": "h100-sxm-80gb", "count": 1)",
           R"("task": "inference", "batch": 4000, "prompt_tokens": 4096)"},
    Raised{WarningCode::DoesNotFit, "\"llama-3-70b\"", R"("accelerator": "h100-sxm-80gb", "count": 1)",
           R"("task": "inference")"},
    Raised{WarningCode::FasterThanIdeal, llama, h100, R"("task": "training")",
           R"(, "measured": {"step_time_s": 0.001})"},
    Raised{WarningCode::OtherUnitLikely, llama, h100, R"("task": "training")", R"(, "measured": {"step_time_s": 400})"},
    Raised{WarningCode::PeakMemoryUnit, llama, h100, R"("task": "training")",
           R"(, "measured": {"step_time_s": 4, "peak_memory_bytes": 65})"},
    Raised{WarningCode::SavesMemory, llama, R"("accelerator": "h100-sxm-80gb", "count": 64)",
           R"("task": "training", "software": "torch-fsdp", "checkpointing": "full", "sequence_length": 65536)"},
    Raised{WarningCode::MemoryMayNotFit, llama, R"("accelerator": "h100-sxm-80gb", "count": 8)",
           R"("task": "training", "software": "torch-fsdp", "checkpointing": "full", "micro_batch": 8)"},
    Raised{
        WarningCode::CheckpointingRaised, "\"llama-3.1-405b\"", R"("accelerator": "h100-sxm-80gb", "count": 512)",
        R"("task": "training", "software": "megatron", "checkpointing": "unknown", "gradients": "fp32", )"
        R"("sequence_length": 10240, "global_batch": 256)",
        R"(, "parallelism": {"tensor": 8, "pipeline": 8, "virtual_pipeline": 8, "context": 2, "sharding": "zero1"}, "measured": {"step_time_s": 60})"},
    Raised{WarningCode::KeyWithoutEffect, llama, R"("accelerator": "h100-sxm-80gb", "count": 1)",
           R"("task": "inference", "prefill_pool": {"count": 4})"},
    Raised{WarningCode::LoadDecidesBatch, llama, h100, R"("task": "inference", "requests_per_s": 1)"},
    Raised{WarningCode::LoadBeyondCapacity, llama, h100, R"("task": "inference", "requests_per_s": 10000)"},
    Raised{WarningCode::PeakBeyondCapacity, llama, R"("accelerator": "h100-sxm-80gb", "count": 1)",
           R"("task": "inference", "batch": 1, "requests_per_s": 0.35, )"
           R"("load_profile": {"shape": "sine", "peak_to_trough": 50})"},
    Raised{WarningCode::MixerWithoutRuns, "\"falcon-mamba-7b\"", h100, R"("task": "inference", "software": "vllm")"},
    Raised{WarningCode::RunsOfLaterReleases, llama, h100,
           R"("task": "inference", "software": "sglang", "software_version": "0.4.1")"},
    Raised{WarningCode::PoolsShareGpus, "\"llama-3-70b\"", sixteen, apart, R"(, "parallelism": {"tensor": 4})"},
    Raised{WarningCode::AcceptanceAssumed, llama, h100, R"("task": "inference", "speculative": {"method": "eagle3"})"},
    Raised{WarningCode::FailsBeforeRestart, llama, R"("accelerator": "h100-sxm-80gb", "count": 1048576)",
           R"("task": "training", "training_tokens": 1e12, "reliability": {"gpu_mtbf_hours": 1000, "restart_s": 1e7})"},
    Raised{WarningCode::CheckpointBeyondRun, llama, R"("accelerator": "h100-sxm-80gb", "count": 64)",
           R"("task": "training", "training_tokens": 1e9, )"
           R"("reliability": {"gpu_mtbf_hours": 50000, "checkpoint_interval_s": 1e7})"},
    Raised{WarningCode::CheckpointWithinStep, llama, h100,
           R"("task": "training", "training_tokens": 1e12, "global_batch": 1024, )"
           R"("reliability": {"gpu_mtbf_hours": 50000, "checkpoint_interval_s": 1})"},
    Raised{WarningCode::PrefillPoolLimits, "\"llama-3-70b\"", sixteen,
           R"("task": "inference", "batch": 64, "prompt_tokens": 2000, "output_tokens": 400, )"
           R"("scheduling": "disaggregated", "prefill_pool": {"count": 4, "parallelism": {"tensor": 4}})",
           R"(, "parallelism": {"tensor": 4})"},
    Raised{WarningCode::PrefillDoesNotFit, "\"llama-3-70b\"", sixteen,
           R"("task": "inference", "batch": 64, "prompt_tokens": 2000, "output_tokens": 400, )"
           R"("scheduling": "disaggregated", "prefill_pool": {"count": 16, "parallelism": {"tensor": 1}})",
           R"(, "parallelism": {"tensor": 4})"},
    Raised{WarningCode::ArrivalsBursty, llama, h100, R"("task": "inference", "requests_per_s": 1, "arrival_cv": 13)"},
    Raised{WarningCode::PercentileTooFar, llama, h100,
           R"("task": "inference", "prompt_tokens": 1000, "prompt_tokens_p95": 5000)"},
    Raised{WarningCode::RlWithoutFramework, "\"llama-3.1-8b\"", sixteen,
           R"("task": "training", "rl": {"prompts": 64, "samples": 16, "prompt_tokens": 200, "output_tokens": 1000})"},
    Raised{WarningCode::RolloutDoesNotFit, "\"llama-3-70b\"", sixteen,
           R"("task": "training", "rl": {"prompts": 64, "samples": 16, "rollout_pool": {"tensor": 1}})"},
    Raised{WarningCode::PhaseDoesNotFit, llama, h100,
           R"("task": "training", "checkpointing": "full", "phases": [{"tokens": 1e12}, )"
           R"({"name": "long", "tokens": 1e11, "sequence_length": 2097152}])"},
    Raised{WarningCode::SoftwareLacks, llama, h100,
           R"("task": "training", "software": "deepspeed", "checkpointing": "full")",
           R"(, "parallelism": {"pipeline": 2, "sharding": "zero2"})"},
    Raised{WarningCode::PhaseHasNotes, llama, R"("accelerator": "h100-sxm-80gb", "count": 48)",
           R"("task": "training", "checkpointing": "full", "phases": [{"tokens": 1e12}, )"
           R"({"name": "wide", "tokens": 1e11, "tensor": 6}])"},
    Raised{WarningCode::RlUpdateDoesNotFit, "\"llama-3.1-8b\"", sixteen,
           R"("task": "training", "rl": {"prompts": 8, "samples": 16, "prompt_tokens": 200, "output_tokens": 30000})"},
    Raised{WarningCode::HostComputes, llama, h100,
           R"("task": "inference", "batch": 1, "software": "llama.cpp", "host_memory": {"weights_gb": 4})"},
    Raised{WarningCode::HostWeightsWhole, llama, h100,
           R"("task": "inference", "batch": 1, "host_memory": {"weights_gb": 40})"},
    Raised{WarningCode::TierHitsUnknown, llama, h100, R"("task": "inference", "kv_tiers": {"host_gb": 200})"},
    Raised{WarningCode::TierSlower, llama, h100,
           R"("task": "inference", "prompt_tokens": 4000, "kv_tiers": {"nvme_hit_rate": 0.5, "nvme_gb_per_s": 0.1})"},
    Raised{WarningCode::BatchLimitedByPass, llama, h100,
           R"("task": "inference", "batch": 256, "max_tokens_per_pass": 300, "software": "vllm")"},
    Raised{WarningCode::BatchAtMost, "\"llama-3.2-1b\"", R"("accelerator": "h200-sxm-141gb")",
           R"("task": "inference", "batch": "max", "prompt_tokens": 100, "output_tokens": 100)"},
    Raised{WarningCode::ProjectsAgain, "\"deepseek-v2\"", R"("accelerator": "h100-sxm-80gb", "count": 256)",
           R"("task": "training", "global_batch": 256, "checkpointing": "unknown", "software": "megatron", )"
           R"("gradients": "bf16")",
           R"(, "parallelism": {"pipeline": 8, "expert": 32, "sharding": "zero1"}, "measured": {"mfu": 0.3})"},
    Raised{WarningCode::ModelAssumed,
           R"({"hf_config": {"model_type": "mistral", "hidden_size": 4096, )"
           R"("intermediate_size": 14336, "num_hidden_layers": 32, )"
           R"("num_attention_heads": 32, "vocab_size": 32000, )"
           R"("tie_word_embeddings": false}})",
           h100, R"("task": "inference")"},
    Raised{WarningCode::NativeUnknown, R"({"id": "llama-3-8b", "quantization": {"method": "vptq"}})", h100,
           R"("task": "inference", "weights": "native")"},
    Raised{WarningCode::TransferLimits, "\"llama-3-70b\"", sixteen,
           R"("task": "inference", "batch": 64, "prompt_tokens": 2000, "output_tokens": 400, )"
           R"("scheduling": "disaggregated", "kv_transfer": {"gbit_per_s": 4}, )"
           R"("prefill_pool": {"count": 64, "parallelism": {"tensor": 4}})",
           R"(, "parallelism": {"tensor": 4})"},
    Raised{WarningCode::HostMemoryTooSmall, "\"llama-3-70b\"", R"("accelerator": "rtx-4090")",
           R"("task": "training", "offload": "parameters")"},
    Raised{WarningCode::TrainsPrediction, "\"deepseek-v3\"", R"("accelerator": "h100-sxm-80gb", "count": 256)",
           R"("task": "training", "software": "megatron")", R"(, "parallelism": {"expert": 64})"},
    Raised{WarningCode::TierTooSmall, llama, h100,
           R"("task": "inference", "prompt_tokens": 8000, "kv_tiers": {"host_gb": 0.5, "host_hit_rate": 0.5})"},
    Raised{WarningCode::ReplicaBeyondRuns, "\"deepseek-v3\"", R"("accelerator": "h100-sxm-80gb", "count": 16)",
           R"("task": "inference", "weights": "fp8")", R"(, "parallelism": {"attention_data": 16, "expert": 16})"},
    Raised{WarningCode::FullBatchBeyondRuns, "\"gpt-oss-120b\"", h100,
           R"("task": "inference", "batch": "max", "weights": "native")"},
    Raised{WarningCode::FirstTokenOfBursts, "\"qwen3-235b-a22b\"", R"("accelerator": "h200-sxm-141gb", "count": 8)",
           R"("task": "inference", "weights": "fp8", "software": "sglang", "batch": 8)",
           R"(, "parallelism": {"tensor": 8})"},
    Raised{WarningCode::RunsOfOlderReleases, llama, R"("accelerator": "rtx-4090")",
           R"("task": "inference", "weights": "int4", "software": "llama.cpp")"},
};

static_assert(scenarios.size() == warningCodeCount, "a new warning needs a scenario that raises it");

std::string fileOf(const Raised& raised)
{
    return std::string(R"({"format": "headroom-scenario", "version": 1, "model": )") + raised.model +
           ", \"hardware\": {" + raised.hardware + "}, \"workload\": {" + raised.workload + "}" + raised.more + "}";
}

QToolButton& buttonOf(const WindowFixture& fixture)
{
    return *fixture.part<StatusLine>().findChild<QToolButton*>(QStringLiteral("notes"));
}

/// Of kinds of spaces and line breaks no more than one, and none of what holds a unit together.
QString plain(QString text)
{
    return text.remove(QChar(0x2060)).simplified();
}

void open(WindowFixture& fixture, const Scenario& scenario)
{
    fixture.session.store.setDocument(scenario, {});
    fixture.session.recalculator.flush();
    WindowFixture::settle();
}

Scenario readFile(const Raised& raised)
{
    const auto reading = readScenario(fileOf(raised), Catalog::builtIn());
    return reading ? reading->scenario : Scenario();
}

} // namespace

class TestNotes final : public QObject
{
    Q_OBJECT
private slots:
    void everyCodeHasItsScenario()
    {
        for (int i = 0; i < warningCodeCount; ++i) {
            const auto code = static_cast<WarningCode>(i);
            const auto found = std::ranges::find(scenarios, code, &Raised::code);
            QVERIFY2(found != scenarios.end(), std::string(warningId(code)).c_str());
        }
    }

    void everyWarningIsSaidInTheWindow_data()
    {
        QTest::addColumn<QString>("code");
        QTest::newRow("en") << QStringLiteral("en");
        QTest::newRow("de") << QStringLiteral("de");
    }

    /// On the button, in its list, in the explanation and in the report; the grave ones at the foot of the charts too.
    void everyWarningIsSaidInTheWindow()
    {
        QFETCH(const QString, code);
        const Language language(code);
        WindowFixture fixture({1366, 768});
        for (const Raised& raised : scenarios) {
            const QString id = toQString(warningId(raised.code));
            const auto with = [&id](const QString& found) { return QString(id + QStringLiteral(": ") + found); };
            const auto reading = readScenario(fileOf(raised), Catalog::builtIn());
            QVERIFY2(reading, qPrintable(with(reading ? QString() : toQString(toText(reading.error().front())))));
            open(fixture, reading->scenario);
            const ChartContext* context = fixture.session.recalculator.context();
            QVERIFY2(context && !fixture.session.recalculator.isRefused(), qPrintable(id));
            QVERIFY2(context->evaluation.warnings.has(raised.code), qPrintable(id));
            const std::vector<ResultNote>& notes = fixture.session.recalculator.notes();
            QCOMPARE(notes.size(), resultNotes(context->scenario, context->evaluation).size());
            const auto note = std::ranges::find(notes, raised.code, &ResultNote::code);
            const QString sentence = plain(toQString(note->text));
            // No key of a scenario; what was assumed of a model names that of its own file.
            const bool ownKey = raised.code == WarningCode::ModelAssumed;
            QVERIFY2(sentence.size() > 20 && (ownKey || !sentence.contains(u'_')), qPrintable(sentence));
            static const QRegularExpression raw(QStringLiteral("'[a-z]+'|„[a-z]+“: "));
            QVERIFY2(!sentence.contains(raw), qPrintable(sentence));
            QToolButton& button = buttonOf(fixture);
            QVERIFY2(button.isVisible() && button.text().contains(QString::number(notes.size())), qPrintable(id));
            button.click();
            auto& popup = fixture.part<NotesPopup>();
            QVERIFY2(popup.isVisible() && plain(popup.text()).contains(sentence), qPrintable(with(popup.text())));
            popup.close();
            QVERIFY2(plain(fixture.part<ExplanationPanel>().text()).contains(sentence), qPrintable(id));
            QTextDocument report;
            report.setHtml(reportNotes(*context));
            QVERIFY2(plain(report.toPlainText()).contains(sentence), qPrintable(id));
            if (isGrave(raised.code)) {
                QTRY_VERIFY2(plain(fixture.part<MessageBar>().text()).contains(sentence), qPrintable(id));
                QVERIFY2(fixture.part<MessageBar>().text().count(QStringLiteral("as if")) <= 1, qPrintable(id));
            }
            if (!note->row)
                continue;
            fixture.part<ParameterPanel>().focusRow(toQString(note->row->id));
            WindowFixture::settle();
            auto* row = fixture.part<ParameterPanel>().rowWidget(toQString(note->row->id));
            QVERIFY2(row && row->isVisible(), note->row->id.data());
            fixture.session.recalculator.flush();
            QTextDocument beside;
            beside.setHtml(row->notice().words());
            QVERIFY2(plain(beside.toPlainText()).contains(sentence), qPrintable(with(beside.toPlainText())));
        }
    }

    void aResultWithoutNotesHasNoButton()
    {
        WindowFixture fixture;
        open(fixture, readFile({WarningCode::DoesNotFit, llama, h100, R"("task": "training")"}));
        const ChartContext* context = fixture.session.recalculator.context();
        QCOMPARE(buttonOf(fixture).isVisible(), context->evaluation.warnings.bits != 0);
        QVERIFY(!buttonOf(fixture).isVisible());
    }

    /// F6 leads to the button, Space opens the list, Escape closes it, a link leads to its slider.
    void theListIsReachedByKeys()
    {
        WindowFixture fixture({1366, 768});
        open(fixture, readFile(*std::ranges::find(scenarios, WarningCode::ArrivalsBursty, &Raised::code)));
        for (int i = 0; i < 10 && QApplication::focusWidget() != &buttonOf(fixture); ++i)
            press(fixture, Qt::Key_F6);
        QCOMPARE(QApplication::focusWidget(), &buttonOf(fixture));
        press(fixture, Qt::Key_Space);
        auto& popup = fixture.part<NotesPopup>();
        QVERIFY(popup.isVisible());
        press(fixture, Qt::Key_Escape);
        QVERIFY(!popup.isVisible());
        press(fixture, Qt::Key_Space);
        press(fixture, Qt::Key_Tab); // its first link
        press(fixture, Qt::Key_Return);
        QVERIFY(!popup.isVisible());
        const auto* row = fixture.part<ParameterPanel>().rowWidget(QStringLiteral("arrival_cv"));
        QVERIFY(row->isVisible() && row->isAncestorOf(QApplication::focusWidget()));
    }

    /// Where a load is beyond what can be served, the bar offers the batch that would do, and GPUs where none does.
    void theBarOffersWhatServesTheLoad_data()
    {
        QTest::addColumn<int>("load");
        QTest::addColumn<bool>("moreGpus");
        QTest::newRow("batch") << 4 << false;
        QTest::newRow("GPUs") << 300 << true;
    }

    void theBarOffersWhatServesTheLoad()
    {
        QFETCH(const int, load);
        QFETCH(const bool, moreGpus);
        const std::string workload =
            R"("task": "inference", "output_tokens": 400, "requests_per_s": )" + std::to_string(load);
        WindowFixture fixture;
        open(fixture, readFile({WarningCode::LoadBeyondCapacity, llama, R"("accelerator": "h100-sxm-80gb", "count": 1)",
                                workload.c_str()}));
        const auto said = [&fixture] {
            return fixture.session.recalculator.context()->evaluation.warnings.has(WarningCode::LoadBeyondCapacity);
        };
        QVERIFY(said());
        QTRY_COMPARE(fixture.part<MessageBar>().remedies().size(), 1u);
        fixture.part<MessageBar>().remedies().front().apply();
        fixture.session.recalculator.flush();
        QVERIFY(!said());
        QCOMPARE(fixture.session.store.scenario().hardware.count > 1, moreGpus);
    }

    void aMessageWithoutRoomEndsInDots()
    {
        const WindowFixture fixture({1024, 700});
        auto& status = fixture.part<StatusLine>();
        const QString words =
            QStringLiteral("A run was imported, and its memory is not what was expected; ").repeated(9);
        status.showMessage(words);
        QVERIFY2(status.shownMessage().endsWith(u'…'), qPrintable(status.shownMessage()));
        QCOMPARE(status.toolTip(), words);
        QVERIFY(status.fontMetrics().horizontalAdvance(status.shownMessage()) < status.width());
        status.showMessage(QStringLiteral("Saved."));
        QCOMPARE(status.shownMessage(), QStringLiteral("Saved."));
        status.clearMessage();
        QVERIFY(status.toolTip().isEmpty());
    }
};
HEADROOM_TEST_WITH(QApplication, TestNotes)

} // namespace headroom::ui::test_notes
#include "test_notes.moc"
