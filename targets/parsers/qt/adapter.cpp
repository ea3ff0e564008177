// Adapter for QJsonDocument of Qt.
#include <cstdint>
#include <cstdio>

#include <QByteArray>
#include <QJsonDocument>

namespace {

void send(char first, const QByteArray &body)
{
    const auto size = static_cast<std::uint32_t>(body.size() + 1);
    for (int shift = 24; shift >= 0; shift -= 8) {
        std::putchar(static_cast<int>(size >> shift & 0xFF));
    }
    std::putchar(first);
    std::fwrite(body.constData(), 1, static_cast<std::size_t>(body.size()), stdout);
    std::fflush(stdout);
}

} // namespace

int main()
{
    send('I', QByteArray("{\"name\":\"Qt\",\"version\":\"") + qVersion() + "\",\"language\":\"C++\"}");
    unsigned char head[4];
    while (std::fread(head, 1, 4, stdin) == 4) {
        QByteArray text(static_cast<int>(head[0] << 24 | head[1] << 16 | head[2] << 8 | head[3]), '\0');
        if (std::fread(text.data(), 1, static_cast<std::size_t>(text.size()), stdin) != static_cast<std::size_t>(text.size())) {
            return 1;
        }
        QJsonParseError error;
        const QJsonDocument document = QJsonDocument::fromJson(text, &error);
        if (error.error != QJsonParseError::NoError) {
            send('R', error.errorString().toUtf8());
        } else {
            send('A', document.toJson(QJsonDocument::Compact));
        }
    }
    return 0;
}
