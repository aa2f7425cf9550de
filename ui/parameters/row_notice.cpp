// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parameters/row_notice.hpp"

#include "ui/base/text.hpp"
#include "ui/theme/theme.hpp"

namespace headroom::ui
{

RowNotice::RowNotice(QWidget* parent) : QLabel(parent)
{
    setWordWrap(true);
    setTextFormat(Qt::RichText);
    setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    setFocusPolicy(Qt::NoFocus);
    setContentsMargins(0, 3, 0, 2);
    hide();
    connect(this, &QLabel::linkActivated, this, [this] {
        if (const auto fix = (m_refusal ? *m_refusal : m_warning).fix)
            emit followed(*fix); // a copy: the edit brings other words
    });
}

void RowNotice::warn(const QString& text, const std::optional<Advice>& fix)
{
    m_warning = {};
    if (!text.isEmpty()) {
        m_warning.html = QStringLiteral("<span style='color:%1'>⚠ %2</span>")
                             .arg(themeOf(palette()).warning.name(), toRichText(text));
        if (fix)
            m_warning.html += QStringLiteral(" <a href='fix'>%1</a>").arg(toRichText(fix->change));
        m_warning.fix = fix;
    }
    showWords();
}

void RowNotice::refuse(const QString& reason, const QString& link, const Advice& nearest)
{
    m_refusal = Words{QStringLiteral("<span style='color:%1'>%2</span> <a href='fix'>%3</a>")
                          .arg(themeOf(palette()).danger.name(), reason, link),
                      nearest};
    showWords();
}

void RowNotice::endRefusal()
{
    if (m_refusal) {
        m_refusal.reset();
        showWords();
    }
}

void RowNotice::showWords()
{
    const QString& html = (m_refusal ? *m_refusal : m_warning).html;
    if (!html.isEmpty() && text() != html)
        setText(html);
    else if (html.isEmpty() && !sizePolicy().retainSizeWhenHidden())
        clear();
    setVisible(!html.isEmpty());
}

void RowNotice::setPlaceHeld(bool held)
{
    QSizePolicy place = sizePolicy();
    if (place.retainSizeWhenHidden() == held)
        return;
    place.setRetainSizeWhenHidden(held && !text().isEmpty());
    setSizePolicy(place);
}

} // namespace headroom::ui
