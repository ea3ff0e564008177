// Adapter for Boost.JSON.
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>

#include <boost/json.hpp>
#include <boost/version.hpp>

namespace {

void send(char first, const std::string &body)
{
    const auto size = static_cast<std::uint32_t>(body.size() + 1);
    for (int shift = 24; shift >= 0; shift -= 8) {
        std::putchar(static_cast<int>(size >> shift & 0xFF));
    }
    std::putchar(first);
    std::fwrite(body.data(), 1, body.size(), stdout);
    std::fflush(stdout);
}

} // namespace

int main()
{
    const std::string version = std::to_string(BOOST_VERSION / 100000) + "." + std::to_string(BOOST_VERSION / 100 % 1000);
    send('I', "{\"name\":\"Boost.JSON\",\"version\":\"" + version + "\",\"language\":\"C++\"}");
    unsigned char head[4];
    while (std::fread(head, 1, 4, stdin) == 4) {
        std::string text(static_cast<std::size_t>(head[0]) << 24 | static_cast<std::size_t>(head[1]) << 16 |
                             static_cast<std::size_t>(head[2]) << 8 | head[3], '\0');
        if (std::fread(text.data(), 1, text.size(), stdin) != text.size()) {
            return 1;
        }
        try {
            send('A', boost::json::serialize(boost::json::parse(text)));
        } catch (const std::exception &error) {
            send('R', std::string(error.what()).substr(0, 1000));
        }
    }
    return 0;
}
