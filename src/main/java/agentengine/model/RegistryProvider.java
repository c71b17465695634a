package agentengine.model;

import org.jspecify.annotations.Nullable;

/**
 * A provider in the catalogue.
 *
 * @param kind what a model record of this provider has as its type
 * @param auth what the provider asks for: {@code api_key} or {@code none}
 * @param defaultBaseUrl where it answers; null when every customer has an address of their own
 */
public record RegistryProvider(
    String id,
    String displayName,
    ProviderKind kind,
    String auth,
    String website,
    @Nullable String defaultBaseUrl) {}
