package agentengine.http;

import agentengine.error.EngineException;
import io.helidon.http.Status;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** The API's document, and a page that shows it; everything it loads comes from this engine. */
final class DocsRoutes {
  private static final Map<String, String> CONTENT_TYPES =
      Map.of(
          "start.js", "text/javascript; charset=utf-8",
          "swagger-ui-bundle.js", "text/javascript; charset=utf-8",
          "swagger-ui.css", "text/css; charset=utf-8");

  List<Route> routes() {
    return List.of(
        Route.get("/", Access.PUBLIC, DocsRoutes::home),
        Route.get("/docs", Access.PUBLIC, DocsRoutes::page),
        Route.get("/docs/{file}", Access.PUBLIC, DocsRoutes::file),
        Route.get("/api/v1/openapi.yaml", Access.PUBLIC, DocsRoutes::document));
  }

  private static void home(Exchange exchange) {
    exchange.redirect("/docs");
  }

  private static void page(Exchange exchange) {
    // The viewer styles its elements one by one and draws its icons from data: addresses.
    exchange.setHeader(
        "Content-Security-Policy",
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
            + " frame-ancestors 'none'");
    exchange.send(Status.OK_200, "text/html; charset=utf-8", Resource.bytes("/docs/index.html"));
  }

  private static void file(Exchange exchange) {
    String name = exchange.parameter("file");
    String type = CONTENT_TYPES.get(name);
    if (type == null) {
      throw EngineException.notFound("file", name);
    }
    exchange.setHeader("Cache-Control", "public, max-age=3600");
    exchange.send(
        Status.OK_200,
        type,
        Resource.bytes(name.equals("start.js") ? "/docs/start.js" : viewer(name)));
  }

  private static void document(Exchange exchange) {
    exchange.send(
        Status.OK_200, "application/yaml; charset=utf-8", Resource.bytes("/openapi.yaml"));
  }

  private static String viewer(String name) {
    Properties properties = new Properties();
    try (InputStream in =
        DocsRoutes.class.getResourceAsStream(
            "/META-INF/maven/org.webjars/swagger-ui/pom.properties")) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return "/META-INF/resources/webjars/swagger-ui/"
        + properties.getProperty("version")
        + "/"
        + name;
  }
}
