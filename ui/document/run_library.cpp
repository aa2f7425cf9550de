// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/run_library.hpp"

#include <QThread>

namespace headroom::ui
{

RunLibrary::RunLibrary(QObject* parent) : QObject(parent) {}

RunLibrary::~RunLibrary()
{
    if (m_reader)
        m_reader->wait();
}

void RunLibrary::readPublished()
{
    if (m_reader)
        return;
    m_reader = QThread::create([] { (void)publishedRuns(); });
    m_reader->setParent(this);
    connect(m_reader, &QThread::finished, this, [this] { setPublished(publishedRuns()); });
    m_reader->start(QThread::LowPriority);
}

void RunLibrary::setPublished(std::shared_ptr<const MeasuredRuns> runs)
{
    auto shelf = std::make_shared<RunShelf>(*m_shelf);
    shelf->published = std::move(runs);
    m_shelf = std::move(shelf);
    emit changed();
}

} // namespace headroom::ui
