// The driver of libjson-rpc-cpp's client over HTTP: commands come in, outcomes go out
// (docs/testing-a-client.md). With the word 1 it is a client of JSON-RPC 1.0.
#include <jsonrpccpp/client.h>
#include <jsonrpccpp/client/connectors/httpclient.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

using namespace jsonrpc;

// Errors that the library made itself, as its documentation numbers them.
static bool is_own(const JsonRpcException &error)
{
    return error.GetCode() == Errors::ERROR_CLIENT_CONNECTOR ||
           error.GetCode() == Errors::ERROR_CLIENT_INVALID_RESPONSE;
}

static Json::Value told_error(const JsonRpcException &error)
{
    Json::Value told;
    if (is_own(error)) {
        told["failed"] = error.what();
        return told;
    }
    told["error"]["code"] = error.GetCode();
    told["error"]["message"] = error.GetMessage();
    if (!error.GetData().isNull()) {
        told["error"]["data"] = error.GetData();
    }
    return told;
}

static Json::Value batch(Client &client, const Json::Value &list)
{
    BatchCall calls;
    std::vector<int> ids;
    Json::Value told(Json::objectValue);
    for (const Json::Value &one : list) {
        ids.push_back(calls.addCall(one["method"].asString(), one["params"], one["notify"].asBool()));
    }
    BatchResponse answers = client.CallProcedures(calls);
    told["list"] = Json::Value(Json::arrayValue);
    for (Json::ArrayIndex i = 0; i < list.size(); i++) {
        Json::Value one;
        Json::Value id = ids[i];
        if (list[i]["notify"].asBool()) {
            one = Json::nullValue;
        } else if (answers.getErrorCode(id) != 0) {
            one["error"]["code"] = answers.getErrorCode(id);
            one["error"]["message"] = answers.getErrorMessage(id);
        } else {
            one["result"] = answers.getResult(ids[i]);
        }
        told["list"].append(one);
    }
    return told;
}

static Json::Value carry_out(Client &client, const Json::Value &command)
{
    const std::string todo = command["do"].asString();
    Json::Value told(Json::objectValue);
    try {
        if (todo == "ping") {
            told["result"] = "pong";
        } else if (todo == "call") {
            told["result"] = client.CallMethod(command["method"].asString(), command["params"]);
        } else if (todo == "notify") {
            client.CallNotification(command["method"].asString(), command["params"]);
            told["result"] = Json::nullValue;
        } else {
            told = batch(client, command["list"]);
        }
    } catch (const JsonRpcException &error) {
        told = told_error(error);
    } catch (const std::exception &error) { // jsoncpp's own
        told["failed"] = error.what();
    }
    return told;
}

int main(int argc, char **argv)
{
    const bool first = argc > 1 && std::string(argv[1]) == "1";
    HttpClient connector(std::getenv("JRPCHECK_URL"));
    connector.SetTimeout(std::atol(std::getenv("JRPCHECK_TIMEOUT")));
    Client client(connector, first ? JSONRPC_CLIENT_V1 : JSONRPC_CLIENT_V2);
    std::cout << R"({"driver":1,"name":"libjson-rpc-cpp","version":"0.7.0","can":["call","notify",)"
              << (first ? R"("by-name"]})" : R"("batch","by-name"]})") << std::endl;
    Json::StreamWriterBuilder writer;
    writer["indentation"] = "";
    writer["precision"] = 17;
    writer["useSpecialFloats"] = false;
    Json::CharReaderBuilder reader;
    const std::unique_ptr<Json::CharReader> read(reader.newCharReader());
    for (std::string line; std::getline(std::cin, line);) {
        Json::Value command;
        Json::Value told(Json::objectValue);
        std::string why;
        if (read->parse(line.data(), line.data() + line.size(), &command, &why)) {
            told = carry_out(client, command);
            told["tag"] = command["tag"];
        } else { // jsoncpp, whose values the library takes, cannot hold what the caller wants to send
            told["failed"] = why;
            told["tag"] = std::atoi(line.c_str() + line.rfind("\"tag\":") + 6);
        }
        std::cout << Json::writeString(writer, told) << std::endl;
    }
    return 0;
}
