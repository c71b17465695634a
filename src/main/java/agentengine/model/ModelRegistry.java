package agentengine.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The catalogue of known models; its file is read when somebody asks for the first time. */
public final class ModelRegistry {
  /** Which models are wanted; null leaves a field open. */
  public record Filter(
      @Nullable String provider, @Nullable Integer tier, @Nullable Boolean supportsTools) {

    boolean admits(RegistryModel model) {
      return (provider == null || provider.equals(model.provider()))
          && (tier == null || tier == model.tier())
          && (supportsTools == null || supportsTools == model.supportsTools());
    }
  }

  private @Nullable RegistryFile file;

  /** The models that fit, in the order of the file: provider, tier, id. */
  public List<RegistryModel> models(Filter filter) {
    return file().models().stream().filter(filter::admits).toList();
  }

  public List<RegistryProvider> providers() {
    return file().providers();
  }

  private synchronized RegistryFile file() {
    if (file == null) {
      file = RegistryFile.read();
    }
    return file;
  }
}
