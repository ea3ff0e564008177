import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures;
import io.modelcontextprotocol.server.transport.HttpServletStreamableServerTransportProvider;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.util.Map;
import org.apache.catalina.startup.Tomcat;

/** An MCP server of the official Java SDK with one tool: over standard input and output, or over streamable HTTP at a port. */
public final class Server {
    private static McpServerFeatures.SyncToolSpecification echo() {
        Map<String, Object> schema =
                Map.of("type", "object", "properties", Map.of("text", Map.of("type", "string")), "required", new String[] {"text"});
        return McpServerFeatures.SyncToolSpecification.builder()
                .tool(new Tool.Builder().name("echo").description("Give a text back").inputSchema(schema).build())
                .callHandler((exchange, request) ->
                        CallToolResult.builder().addTextContent(String.valueOf(request.arguments().get("text"))).build())
                .build();
    }

    public static void main(String[] args) throws Exception {
        ServerCapabilities capabilities = ServerCapabilities.builder().tools(true).build();
        if (args.length == 0) {
            McpServer.sync(new StdioServerTransportProvider(McpJsonDefaults.getMapper()))
                    .serverInfo("demo", "1.0.0").capabilities(capabilities).tools(echo()).build();
            return;
        }
        var transport = HttpServletStreamableServerTransportProvider.builder().mcpEndpoint("/mcp").build();
        McpServer.sync(transport).serverInfo("demo", "1.0.0").capabilities(capabilities).tools(echo()).build();
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(System.getProperty("java.io.tmpdir"));
        tomcat.setHostname("127.0.0.1");
        tomcat.setPort(Integer.parseInt(args[0]));
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        var context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "mcp", transport).setAsyncSupported(true);
        context.addServletMappingDecoded("/mcp", "mcp");
        tomcat.start();
        tomcat.getServer().await();
    }
}
