package agentengine.http;

import agentengine.config.SettingsStore;
import java.util.List;

/** What can be changed while the engine runs. */
final class SettingsRoutes {
  private final SettingsStore settings;

  SettingsRoutes(SettingsStore settings) {
    this.settings = settings;
  }

  List<Route> routes() {
    Access admin = Access.scopes();
    return List.of(
        Route.get("/api/v1/settings", admin, this::get),
        Route.put("/api/v1/settings", admin, this::update));
  }

  private void get(Exchange exchange) {
    exchange.ok(settings.current().toJson());
  }

  private void update(Exchange exchange) {
    exchange.ok(settings.update(exchange.caller().id(), exchange.body()).toJson());
  }
}
