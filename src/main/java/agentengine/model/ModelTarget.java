package agentengine.model;

import org.jspecify.annotations.Nullable;

/** A model as it is called: its record, the address to call, and what the registry knows of it. */
record ModelTarget(ModelRecord model, String baseUrl, @Nullable RegistryModel known) {

  ProviderKind kind() {
    return model.kind();
  }

  /** The address with a path added; what the base has behind a question mark stays at the end. */
  String url(String path) {
    int query = baseUrl.indexOf('?');
    String base = query < 0 ? baseUrl : baseUrl.substring(0, query);
    while (base.endsWith("/")) {
      base = base.substring(0, base.length() - 1);
    }
    return base + path + (query < 0 ? "" : baseUrl.substring(query));
  }
}
