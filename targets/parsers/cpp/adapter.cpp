// Adapter for the JSON parsers of C++: adapter nlohmann|RapidJSON|JsonCpp|simdjson
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>

#include <json/json.h>
#include <nlohmann/json.hpp>
#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <rapidjson/rapidjson.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#include <simdjson.h>

namespace {

std::string with_nlohmann(const std::string &text)
{
    return nlohmann::json::parse(text).dump();
}

std::string with_rapidjson(const std::string &text)
{
    // Without this flag the reader accepts invalid UTF-8, as its manual says.
    rapidjson::Document document;
    document.Parse<rapidjson::kParseValidateEncodingFlag | rapidjson::kParseFullPrecisionFlag>(text.data(), text.size());
    if (document.HasParseError()) {
        throw std::runtime_error(rapidjson::GetParseError_En(document.GetParseError()));
    }
    rapidjson::StringBuffer out;
    rapidjson::Writer<rapidjson::StringBuffer> writer(out);
    document.Accept(writer);
    return std::string(out.GetString(), out.GetSize());
}

std::string with_jsoncpp(const std::string &text)
{
    Json::CharReaderBuilder settings;
    Json::CharReaderBuilder::strictMode(&settings.settings_);
    settings["strictRoot"] = false; // RFC 4627 asked for it, RFC 8259 does not
    const std::unique_ptr<Json::CharReader> reader(settings.newCharReader());
    Json::Value value;
    std::string why;
    if (!reader->parse(text.data(), text.data() + text.size(), &value, &why)) {
        throw std::runtime_error(why);
    }
    Json::StreamWriterBuilder writer;
    writer["indentation"] = "";
    return Json::writeString(writer, value);
}

std::string with_simdjson(const std::string &text)
{
    static simdjson::dom::parser parser;
    const simdjson::padded_string padded(text);
    return simdjson::minify(simdjson::dom::element(parser.parse(padded)));
}

const std::map<std::string, std::pair<std::string, std::function<std::string(const std::string &)>>> libraries = {
    {"nlohmann", {std::to_string(NLOHMANN_JSON_VERSION_MAJOR) + "." + std::to_string(NLOHMANN_JSON_VERSION_MINOR) + "." + std::to_string(NLOHMANN_JSON_VERSION_PATCH), with_nlohmann}},
    {"RapidJSON", {RAPIDJSON_VERSION_STRING, with_rapidjson}},
    {"JsonCpp", {JSONCPP_VERSION_STRING, with_jsoncpp}},
    {"simdjson", {std::to_string(simdjson::SIMDJSON_VERSION_MAJOR) + "." + std::to_string(simdjson::SIMDJSON_VERSION_MINOR) + "." + std::to_string(simdjson::SIMDJSON_VERSION_REVISION), with_simdjson}},
};

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

int main(int argc, char **argv)
{
    const auto library = libraries.find(argc > 1 ? argv[1] : "");
    if (library == libraries.end()) {
        std::fputs("adapter: name a library\n", stderr);
        return 2;
    }
    send('I', "{\"name\":\"" + library->first + "\",\"version\":\"" + library->second.first + "\",\"language\":\"C++\"}");
    unsigned char head[4];
    while (std::fread(head, 1, 4, stdin) == 4) {
        std::string text(static_cast<std::size_t>(head[0]) << 24 | static_cast<std::size_t>(head[1]) << 16 |
                             static_cast<std::size_t>(head[2]) << 8 | head[3], '\0');
        if (std::fread(text.data(), 1, text.size(), stdin) != text.size()) {
            return 1;
        }
        try {
            send('A', library->second.second(text));
        } catch (const std::exception &error) {
            send('R', std::string(error.what()).substr(0, 1000));
        }
    }
    return 0;
}
