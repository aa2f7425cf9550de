// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/inference/inference_users.hpp"

#include "core/predict/inference/inference_carry.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::inference
{
namespace
{

/// Places of one or all replicas that serve, each as quickly as the line between a lone request and a full replica
/// says.
class Places final
{
public:
    explicit Places(const QueueInput& q)
        : m_places(q.servers), m_replicas(q.servers / q.serversPerReplica), m_fullS(q.serviceS),
          m_loneS(q.loneServiceS > 0 ? q.loneServiceS : q.serviceS), m_extra(q.serversPerReplica - 1)
    {
    }
    /// Requests a second that end while so many are there.
    [[nodiscard]] double endPerS(double there) const
    {
        if (there >= m_places)
            return m_places / m_fullS;
        const double company = m_extra > 0 ? std::max(0.0, there / m_replicas - 1) / m_extra : 1;
        return there / std::lerp(m_loneS, m_fullS, company);
    }

private:
    double m_places, m_replicas, m_fullS, m_loneS, m_extra;
};

/// Whom a user finds: sums over how many of the others think, each weighted as often as that is.
struct Found {
    double all = 0;                           ///< of the weights
    double waits = 0, ahead = 0, squares = 0; ///< of those where he waits: the weights, and who leaves before he begins
    void add(double weight, double leave)
    {
        all += weight;
        if (leave > 0) {
            waits += weight;
            ahead += weight * leave;
            squares += weight * leave * leave;
        }
    }
};

/// The chain of `others` who think for thinkS and are served, from the likeliest state to both sides.
Found whomAUserFinds(const QueueInput& q, const Places& places, double others)
{
    const double thinkS = std::max(0.0, *q.thinkS), most = std::floor(others);
    const auto ratio = [&](double think) { return places.endPerS(others - think) * thinkS / (think + 1); };
    double low = 0, high = most; // think as many as long as one more is likelier
    while (high - low > 0.5) {
        const double middle = std::floor((low + high) / 2);
        if (ratio(middle) > 1)
            low = middle + 1;
        else
            high = middle;
    }
    constexpr double negligible = 1e-17;
    const double likeliest = low;
    const auto leave = [&](double think) { return others + 1 - think - q.servers; };
    Found found;
    found.add(1, leave(likeliest));
    double weight = 1;
    for (double think = likeliest; think < most && weight > negligible * found.all; ++think)
        found.add(weight *= ratio(think), leave(think + 1));
    weight = 1;
    for (double think = likeliest; think > 0 && thinkS > 0 && weight > negligible * found.all; --think)
        found.add(weight /= ratio(think - 1), leave(think - 1));
    return found;
}

} // namespace

double UserWait::quantile(double late) const noexcept
{
    if (!(share > late))
        return 0;
    const double ifWaiting = meanS / share, spread = std::min(spreadS, ifWaiting);
    return ifWaiting - spread + spread * std::log(share / late);
}

UserWait waitOfUsers(const QueueInput& q) noexcept
{
    if (!q.thinkS || !(q.users > q.servers))
        return {};
    constexpr double rounding = 1e-10;
    const Found found = whomAUserFinds(q, Places(q), q.users - 1);
    if (!(found.waits > 0))
        return {};
    const double endPerS = q.servers / q.serviceS;
    const double thinkS = std::max(0.0, *q.thinkS), soonerS = thinkS - *q.thinkS;
    const double leastS = std::max(0.0, (q.users - q.servers) / endPerS - thinkS);
    const double randomS = found.ahead / found.all / endPerS, aboveS = std::max(0.0, randomS - leastS);
    const double busy = std::min(1.0, q.users / (q.servers + endPerS * thinkS));
    const double varied = variationFactor(busy, q.arrivalVariation, q.squaredVariation);
    UserWait wait;
    wait.share = found.waits / found.all;
    wait.meanS = soonerS + leastS + (aboveS > rounding * q.users / endPerS ? aboveS * varied : 0);
    const double ahead = found.ahead / found.waits;
    const double spread = std::max(0.0, found.squares / found.waits - ahead * ahead);
    wait.spreadS = std::sqrt(varied * varied * spread + q.squaredVariation * ahead) / endPerS;
    return wait;
}

double userWaitS(const PreparedScenario& p, const Replica& replica, const Serving& full, double requestsPerS) noexcept
{
    QueueInput q = placesOf(p, replica, full);
    if (!(q.users > q.servers))
        return 0;
    Serving lone = full;
    replica.engine.serve(1, lone, requestsPerS);
    const double tokensPerS = loneTokensPerS(replica.engine, lone, requestsPerS);
    q.loneServiceS = std::min(q.serviceS, answerTokens(p.inference) / tokensPerS);
    return waitOfUsers(q).meanS;
}

} // namespace headroom::inference
