// SPDX-License-Identifier: GPL-3.0-or-later
// Reading profiles: where the time of a step went, whatever the trace holds.
#include "core/profile/device_profile.hpp"
#include "core/profile/trace_readers.hpp"
#include "tests/support/program.hpp"
#include "tests/support/sample_trace.hpp"
#include "tests/support/support.hpp"

#include <rapidcheck.h>

#include <QTemporaryDir>
#include <map>
#include <numeric>

namespace headroom::test_profile
{

using namespace profile;
using test::SampleTrace;

namespace
{

constexpr const char* gemm = "ampere_bf16_s16816gemm_bf16_128x256";
constexpr const char* flash = "void pytorch_flash::flash_fwd_kernel<64>";
constexpr const char* gather = "ncclDevKernel_AllGather_RING_LL";
constexpr const char* adam = "multi_tensor_apply_kernel<AdamFunctor>";

DeviceProfile profileOf(const std::string& text)
{
    const auto reading = readProfile(text, "trace.json");
    if (!reading) {
        qWarning("%s", toText(reading.error().front()).c_str());
        return {};
    }
    return reading->devices.front();
}

bool near(double a, double b, double tolerance = 1e-9)
{
    return std::abs(a - b) <= tolerance;
}

double sumOf(const TimeSplit& s)
{
    return std::accumulate(s.own.begin(), s.own.end(), 0.0) + s.exposedCommunication() + s.idle();
}

double sharedSum(const TimeSplit& s)
{
    return std::accumulate(s.shared.begin(), s.shared.end(), 0.0) + s.idle();
}

double of(const std::array<double, kernelClassCount>& times, KernelClass c)
{
    return times[static_cast<std::size_t>(c)];
}

/// What the split of whole ns should be, instant by instant.
TimeSplit slowSplit(const std::vector<GpuEvent>& events, const Span& window)
{
    TimeSplit split;
    constexpr double ns = 1e-9;
    split.span = double(window.length()) * ns;
    for (std::int64_t t = window.start; t < window.end; ++t) {
        std::map<KernelClass, bool> running;
        std::map<Collective, bool> exchanging;
        for (const GpuEvent& event : events) {
            if (event.start > t || event.end <= t)
                continue;
            running[event.kind.kernelClass] = true;
            split.sum[static_cast<std::size_t>(event.kind.kernelClass)] += ns;
            if (event.kind.kernelClass == KernelClass::Communication)
                exchanging[event.kind.collective] = true;
        }
        const auto computing = running.size() - running.count(KernelClass::Communication);
        for (const auto& [c, yes] : running) {
            split.shared[static_cast<std::size_t>(c)] += ns / double(running.size());
            if (c != KernelClass::Communication)
                split.own[static_cast<std::size_t>(c)] += ns / double(computing);
        }
        split.communication += exchanging.empty() ? 0 : ns;
        for (const auto& [c, yes] : exchanging)
            split.exposed[static_cast<std::size_t>(c)] += computing == 0 ? ns / double(exchanging.size()) : 0;
        split.unexplained += running.empty() ? ns : 0;
    }
    return split;
}

std::vector<GpuEvent> randomEvents()
{
    std::vector<GpuEvent> events;
    const int count = *rc::gen::inRange(1, 30);
    for (int i = 0; i < count; ++i) {
        GpuEvent event;
        event.start = *rc::gen::inRange(0, 120);
        event.end = event.start + *rc::gen::inRange(0, 30);
        event.kind.kernelClass = static_cast<KernelClass>(*rc::gen::inRange(0, kernelClassCount));
        event.kind.collective = static_cast<Collective>(*rc::gen::inRange(0, collectiveCount));
        events.push_back(event);
    }
    return events;
}

} // namespace

class TestProfile : public QObject
{
    Q_OBJECT
private slots:
    void everyInstantIsCountedOnce()
    {
        const bool holds = rc::check("splits agree with a count instant by instant", [] {
            TraceEvents trace;
            trace.gpu = randomEvents();
            (void)trace.deviceIndex(0);
            const DeviceTimeline timeline(trace, 0);
            const Span window{*rc::gen::inRange(0, 60), *rc::gen::inRange(60, 170)};
            const TimeSplit fast = timeline.split(window), slow = slowSplit(trace.gpu, window);
            RC_ASSERT(near(sumOf(fast), fast.span, 1e-3 * fast.span));
            RC_ASSERT(near(sharedSum(fast), fast.span, 1e-3 * fast.span));
            RC_ASSERT(near(fast.span, slow.span, 1e-15));
            for (std::size_t i = 0; i < fast.own.size(); ++i) {
                RC_ASSERT(near(fast.own[i], slow.own[i], 1e-14));
                RC_ASSERT(near(fast.shared[i], slow.shared[i], 1e-14));
                RC_ASSERT(near(fast.sum[i], slow.sum[i], 1e-14));
            }
            for (std::size_t i = 0; i < fast.exposed.size(); ++i)
                RC_ASSERT(near(fast.exposed[i], slow.exposed[i], 1e-14));
            RC_ASSERT(near(fast.communication, slow.communication, 1e-14));
            RC_ASSERT(near(fast.idle(), slow.idle(), 1e-14));
        });
        QVERIFY(holds);
    }

    void partsOfRandomTracesAddUp()
    {
        const bool holds = rc::check("parts add up to the step", [] {
            SampleTrace trace;
            const int count = *rc::gen::inRange(1, 60);
            const std::vector<std::string> names{gemm, flash, gather, adam, "my_own_kernel"};
            for (int i = 0; i < count; ++i) {
                const double start = 1.7e15 + *rc::gen::inRange(0, 100'000) / 100.0;
                trace.kernel(names[std::size_t(*rc::gen::inRange(0, int(names.size())))], start,
                             *rc::gen::inRange(0, 5000) / 100.0, i + 1);
                if (*rc::gen::arbitrary<bool>())
                    trace.launch(start - *rc::gen::inRange(0, 50), 3, i + 1);
            }
            if (*rc::gen::arbitrary<bool>())
                trace.hostStep(1, 1.7e15, 400).hostStep(2, 1.7e15 + 400, 500);
            const auto reading = readProfile(trace.text(), "trace.json");
            RC_ASSERT(reading.has_value());
            const DeviceProfile& p = reading->devices.front();
            for (const TimeSplit* split : {&p.mean, &p.whole}) {
                RC_ASSERT(near(sumOf(*split), split->span, 1e-3 * split->span));
                RC_ASSERT(near(sharedSum(*split), split->span, 1e-3 * split->span));
                RC_ASSERT(split->busy() >= -1e-12 && split->communication <= split->span * (1 + 1e-12));
            }
        });
        QVERIFY(holds);
    }

    /// HolisticTraceAnalysis's trace of a toy network on an MI250: totals counted apart, by another program.
    void aPublicTraceIsReadAsOthersReadIt()
    {
        const auto reading = readProfiles({test::sourcePath("tests/facts/traces/hta_mi250_minitoy.json.gz")});
        QVERIFY(reading);
        QCOMPARE(int(reading->devices.size()), 1);
        const DeviceProfile& p = reading->devices.front();
        QCOMPARE(int(p.events), 16);
        const auto close = [](double seconds, double us) { return std::abs(seconds * 1e6 / us - 1) < 0.01; };
        QVERIFY(close(p.whole.span, 8911.9) && close(p.whole.busy(), 149.0) && close(p.whole.idle(), 8762.8));
        QVERIFY(close(of(p.whole.shared, KernelClass::Elementwise), 72.2));
        QVERIFY(close(of(p.whole.shared, KernelClass::Copy), 38.2));
        QVERIFY(close(of(p.whole.shared, KernelClass::Matmul), 30.2));
        QVERIFY(close(of(p.whole.shared, KernelClass::Optimizer), 8.5));
        // The annotation of the GPU's work counts, not the host's, which is nine times as long.
        QCOMPARE(p.steps.source, StepSource::GpuAnnotation);
        QVERIFY(near(p.mean.span, 1031.368e-6));
        QVERIFY(!p.shapes.empty());
        QVERIFY(p.matmulFlop > 0 && p.shapedSeconds > 0 &&
                p.shapedSeconds <= of(p.mean.sum, KernelClass::Matmul) + 1e-12);
    }

    void communicationThatIsHiddenDoesNotShow()
    {
        SampleTrace trace;
        trace.kernel(gemm, 0, 100).kernel(gather, 60, 80).kernel(adam, 150, 10);
        const TimeSplit& s = profileOf(trace.text()).whole;
        QVERIFY(near(s.communication, 80e-6));
        QVERIFY(near(s.exposedCommunication(), 40e-6));
        QVERIFY(near(of(s.own, KernelClass::Matmul), 100e-6));
        QVERIFY(near(of(s.shared, KernelClass::Matmul), 80e-6)); // 60 alone, 40 with the exchange
        QVERIFY(near(s.idle(), 10e-6));
    }

    void idleTimeSaysWhatItWaitedFor()
    {
        SampleTrace trace;
        trace.kernel(gemm, 0, 10, 1).launch(-5, 3, 1);
        trace.kernel(gemm, 30, 10, 2).launch(20, 8, 2);  // 10…30: launched too late
        trace.kernel(gemm, 44, 10, 3).launch(25, 3, 3);  // 40…44: launched before, and yet it waited
        trace.kernel(gemm, 100, 10, 4).launch(95, 3, 4); // 54…100: the data loader, from 60 to 90
        trace.event("user_annotation", "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", 60, 30, "");
        trace.kernel(gemm, 120, 10, 5); // 110…120: no call is known
        const TimeSplit& s = profileOf(trace.text()).whole;
        QVERIFY(near(s.launchBound, (20 + 46 - 30) * 1e-6));
        QVERIFY(near(s.queued, 4e-6));
        QVERIFY(near(s.waitingForData, 30e-6));
        QVERIFY(near(s.unexplained, 10e-6));
    }

    void stepsReachToTheNextAndWarmUpIsLeftOut()
    {
        SampleTrace trace;
        double at = 1000;
        for (int step = 0; step < 5; ++step) {
            const double length = step == 0 ? 400 : 100;
            trace.kernel(gemm, at, length - 20).gpuStep(step, at, length - 20); // 20 µs of waiting between two
            at += length;
        }
        const DeviceProfile p = profileOf(trace.text());
        QCOMPARE(p.steps.source, StepSource::GpuAnnotation);
        QCOMPARE(p.warmUpSteps(), 1);
        QCOMPARE(p.usedSteps(), 3); // the last one's end is not known
        QVERIFY(near(p.mean.span, 100e-6));
        QVERIFY(near(p.mean.idle(), 20e-6));
        // One of them alone, and one that is not there.
        ProfileOptions options;
        options.step = 0;
        QVERIFY(near(readProfile(trace.text(), "a.json", options)->devices.front().mean.span, 400e-6));
        options.step = 9;
        const auto missing = readProfile(trace.text(), "a.json", options);
        QVERIFY(!missing);
        QCOMPARE(missing.error().front().code, std::string("no-such-step"));
    }

    void stepsThatWereNotProfiledAreNoWaiting()
    {
        SampleTrace trace;
        trace.kernel(gemm, 0, 80).gpuStep(1, 0, 80).kernel(gemm, 100, 80).gpuStep(2, 100, 80);
        trace.kernel(gemm, 9000, 80).gpuStep(90, 9000, 80);
        QVERIFY(near(profileOf(trace.text()).mean.span, 100e-6));
    }

    void hostAnnotationsServeWhereTheGpuHasNone()
    {
        SampleTrace trace;
        trace.hostStep(7, 0, 100).hostStep(8, 100, 120).kernel(gemm, 10, 50).kernel(gemm, 130, 50);
        const DeviceProfile p = profileOf(trace.text());
        QCOMPARE(p.steps.source, StepSource::HostAnnotation);
        QVERIFY(near(p.mean.span, 110e-6));
        QVERIFY(near(p.mean.idle(), 60e-6));
    }

    void theHostRunsAheadOfWhatItLaunched()
    {
        SampleTrace trace; // both steps are launched while the first kernel runs
        trace.hostStep(1, 0, 20).launch(5, 2, 1).launch(10, 2, 2).hostStep(2, 20, 20).launch(25, 2, 3);
        trace.kernel(gemm, 10, 100, 1).kernel(flash, 110, 50, 2).kernel(gemm, 160, 80, 3);
        const DeviceProfile p = profileOf(trace.text());
        QCOMPARE(p.steps.source, StepSource::HostAnnotation);
        QCOMPARE(p.usedSteps(), 2);
        QVERIFY(near(p.mean.span, (150e-6 + 80e-6) / 2));
        QVERIFY(near(p.mean.ofClass(KernelClass::Matmul), (100e-6 + 80e-6) / 2));
        QVERIFY(near(p.mean.idle(), 0));
    }

    void repetitionServesWithoutAnnotations()
    {
        SampleTrace trace;
        for (int step = 0; step < 4; ++step) {
            double at = step * 200.0;
            for (int layer = 0; layer < 6; ++layer, at += 25)
                trace.kernel(gemm, at, 12).kernel(flash, at + 12, 8);
            trace.kernel(adam, at, 30);
        }
        const DeviceProfile p = profileOf(trace.text());
        QCOMPARE(p.steps.source, StepSource::Repetition);
        QCOMPARE(p.usedSteps(), 3);
        QVERIFY(near(p.mean.span, 200e-6));
        // Layers are no steps.
        SampleTrace one;
        for (int layer = 0; layer < 6; ++layer)
            one.kernel(gemm, layer * 25.0, 12).kernel(flash, layer * 25.0 + 12, 8).kernel("embedding_a", 200, 1);
        one.kernel(adam, 210, 30).kernel("head_b", 190, 4).kernel("head_c", 195, 4);
        QCOMPARE(profileOf(one.text()).steps.source, StepSource::WholeTrace);
    }

    void severalRanksTellWaitingFromExchanging()
    {
        QTemporaryDir folder;
        const auto write = [&](int rank, double late) {
            SampleTrace trace;
            trace.rank(rank).kernel(gemm, 0, 50 + late).kernel(gather, 50 + late, 40 - late).kernel(adam, 90, 10);
            const QString path = folder.filePath(QStringLiteral("rank%1.json").arg(rank));
            test::writtenFile(path, QByteArray::fromStdString(trace.text()));
            return path.toStdString();
        };
        const auto reading = readProfiles({write(0, 0), write(1, 30)});
        QVERIFY(reading);
        QVERIFY(reading->ranksCompared);
        for (const DeviceProfile& p : reading->devices) {
            const double waiting = p.mean.exposed[std::size_t(Collective::Waiting)];
            QVERIFY(near(waiting, *p.rank == 0 ? 30e-6 : 0)); // the late one waits for nobody
            QVERIFY(near(p.mean.exposed[std::size_t(Collective::AllGather)], 10e-6));
            QVERIFY(near(sumOf(p.mean), p.mean.span));
        }
        const auto alone = readProfiles({write(0, 0)});
        QCOMPARE(alone->warnings.size(), std::size_t(2)); // no steps, and one rank
        QCOMPARE(alone->warnings.back().code, std::string("one-rank"));
    }

    void theSlowestRankIsFirst()
    {
        SampleTrace trace;
        trace.kernel(gemm, 0, 50, 0, 3).kernel(gemm, 0, 90, 0, 5).kernel(gemm, 0, 70, 0, 4);
        const auto reading = readProfile(trace.text(), "a.json");
        QVERIFY(reading);
        std::vector<std::int64_t> devices;
        for (const DeviceProfile& p : reading->devices)
            devices.push_back(p.device);
        QCOMPARE(devices, (std::vector<std::int64_t>{5, 4, 3}));
    }

    void matmulsHaveTheShapesOfTheirOperators()
    {
        SampleTrace trace;
        trace.event(
            "cpu_op", "aten::addmm", 0, 5,
            R"("External id": 12, "Input Dims": [[4096], [512, 1024], [1024, 4096], [], []], "Input type": ["c10::BFloat16", "c10::BFloat16", "c10::BFloat16", "Scalar", "Scalar"])");
        trace.event("cpu_op", "aten::relu", 6, 5,
                    R"("External id": 13, "Input Dims": [[512, 4096]], "Input type": ["float"])");
        trace.kernel(gemm, 10, 20, 1, 0, R"(, "External id": 12)");
        trace.kernel("vectorized_elementwise_kernel", 40, 20, 2, 0, R"(, "External id": 13)");
        const DeviceProfile p = profileOf(trace.text());
        QCOMPARE(int(p.shapes.size()), 1);
        QCOMPARE(p.shapes.front().shape, (MatmulShape{1, 512, 4096, 1024, "c10::BFloat16"}));
        QVERIFY(near(p.matmulFlop, 2.0 * 512 * 4096 * 1024, 1));
        QVERIFY(near(p.shapedSeconds, 20e-6));
    }

    void kernelsThatNoRowNamesKeepTheirNames()
    {
        SampleTrace trace;
        trace.kernel("my_secret_kernel", 0, 70).kernel(gemm, 80, 20);
        const auto reading = readProfile(trace.text(), "a.json");
        QCOMPARE(reading->devices.front().kernels.front().name, std::string("my_secret_kernel"));
        QCOMPARE(reading->devices.front().kernels.front().kernelClass, KernelClass::Other);
        QVERIFY(std::ranges::any_of(reading->warnings, [](const Diagnostic& d) { return d.code == "not-recognised"; }));
    }

    void timesAreReadToTheNanosecond()
    {
        QCOMPARE(nanoseconds("1711234567890123.456"), std::optional<std::int64_t>(1711234567890123456));
        QCOMPARE(nanoseconds("12"), std::optional<std::int64_t>(12000));
        QCOMPARE(nanoseconds("-0.5"), std::optional<std::int64_t>(-500));
        QCOMPARE(nanoseconds("1.5e2"), std::optional<std::int64_t>(150'000));
        QCOMPARE(nanoseconds("0.1239"), std::optional<std::int64_t>(123));
        for (const char* bad : {"", "-", "1e300", "99999999999999999999", "1.2.3", "inf"})
            QVERIFY2(!nanoseconds(bad), bad);
    }
};
HEADROOM_TEST(TestProfile)

} // namespace headroom::test_profile
#include "test_profile.moc"
