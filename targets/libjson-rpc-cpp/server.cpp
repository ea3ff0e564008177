// A libjson-rpc-cpp server, written as its documentation shows: server http PORT | server unix PATH
#include <jsonrpccpp/server.h>
#include <jsonrpccpp/server/connectors/httpserver.h>
#include <jsonrpccpp/server/connectors/unixdomainsocketserver.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>

using namespace jsonrpc;

class Fixture : public AbstractServer<Fixture> {
public:
    explicit Fixture(AbstractServerConnector &connector) : AbstractServer<Fixture>(connector)
    {
        // A procedure takes its params by position or by name, not both ways.
        bindAndAddMethod(Procedure("subtract", PARAMS_BY_POSITION, JSON_INTEGER, "minuend", JSON_INTEGER,
                                   "subtrahend", JSON_INTEGER, NULL),
                         &Fixture::subtract);
        bindAndAddMethod(Procedure("sum", PARAMS_BY_POSITION, JSON_INTEGER, NULL), &Fixture::sum);
        bindAndAddMethod(Procedure("get_data", PARAMS_BY_POSITION, JSON_ARRAY, NULL), &Fixture::get_data);
        bindAndAddMethod(Procedure("echo", PARAMS_BY_POSITION, JSON_ARRAY, NULL), &Fixture::echo);
        bindAndAddMethod(Procedure("fail", PARAMS_BY_POSITION, JSON_INTEGER, NULL), &Fixture::fail);
        bindAndAddMethod(Procedure("app_error", PARAMS_BY_NAME, JSON_INTEGER, "code", JSON_INTEGER, NULL),
                         &Fixture::app_error);
        bindAndAddMethod(Procedure("slow", PARAMS_BY_POSITION, JSON_INTEGER, "ms", JSON_INTEGER, NULL),
                         &Fixture::slow);
        bindAndAddMethod(Procedure("count", PARAMS_BY_POSITION, JSON_INTEGER, NULL), &Fixture::count);
        for (const char *name : {"update", "notify_hello", "notify_sum"}) {
            bindAndAddNotification(Procedure(name, PARAMS_BY_POSITION, NULL), &Fixture::effect);
        }
    }

    void subtract(const Json::Value &request, Json::Value &response)
    {
        response = request[0u].asInt64() - request[1u].asInt64();
    }
    void sum(const Json::Value &request, Json::Value &response)
    {
        Json::Int64 total = 0;
        for (const Json::Value &value : request) {
            total += value.asInt64();
        }
        response = total;
    }
    void get_data(const Json::Value &, Json::Value &response)
    {
        response.append("hello");
        response.append(5);
    }
    void echo(const Json::Value &request, Json::Value &response) { response = request; }
    void fail(const Json::Value &, Json::Value &) { throw std::runtime_error("the handler failed"); }
    void app_error(const Json::Value &request, Json::Value &)
    {
        throw JsonRpcException(request["code"].asInt(), "application error", request["data"]);
    }
    void slow(const Json::Value &request, Json::Value &response)
    {
        usleep(static_cast<useconds_t>(request[0u].asUInt()) * 1000);
        response = request[0u];
    }
    void count(const Json::Value &, Json::Value &response) { response = took.load(); }
    void effect(const Json::Value &) { took++; }

private:
    std::atomic<int> took{0};
};

int main(int, char **argv)
{
    std::unique_ptr<AbstractServerConnector> connector;
    if (std::string(argv[1]) == "unix") {
        connector.reset(new UnixDomainSocketServer(argv[2]));
    } else {
        connector.reset(new HttpServer(std::stoi(argv[2])));
    }
    Fixture server(*connector);
    if (!server.StartListening()) {
        return 1;
    }
    for (;;) {
        pause();
    }
}
