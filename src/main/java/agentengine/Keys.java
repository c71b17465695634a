package agentengine;

import agentengine.auth.ApiTokens;
import agentengine.auth.JwtVerifier;
import agentengine.auth.LocalSession;
import agentengine.auth.SigningKeys;
import agentengine.config.BadOption;
import agentengine.config.BootOptions;
import agentengine.config.MasterKeySource;
import agentengine.config.Variable;
import agentengine.db.Database;
import agentengine.secret.MasterKey;
import agentengine.secret.MasterKeyCheck;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.PublicKey;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** The keys that an engine starts with; one that does not fit is a {@link BadOption}. */
final class Keys {
  private final BootOptions options;
  private final InstantSource clock;
  private final MasterKey master;
  private final @Nullable KeyPair local;

  Keys(BootOptions options, Database db, InstantSource clock) {
    this.options = options;
    this.clock = clock;
    this.master = checked(db, MasterKeySource.toStartWith(options));
    this.local = options.auth().publicKey() == null ? SigningKeys.local(db, master, clock) : null;
  }

  private static MasterKey checked(Database db, MasterKey key) {
    try {
      MasterKeyCheck.run(db, key);
      return key;
    } catch (MasterKey.WrongKeyException _) {
      throw new BadOption(
          Variable.MASTER_KEY,
          "does not open what is in the database: give the key it was made with");
    }
  }

  MasterKey master() {
    return master;
  }

  /** Makes the token that the options name, if they do. */
  void seedBootstrapToken(ApiTokens tokens) {
    if (options.bootstrapToken() != null) {
      try {
        tokens.seedBootstrap(options.bootstrapToken().reveal());
      } catch (IllegalArgumentException e) {
        throw new BadOption(Variable.BOOTSTRAP_TOKEN, "is not an API token: " + e.getMessage());
      }
    }
  }

  /** What makes sessions for whoever sits at the machine; null when nothing does. */
  @Nullable LocalSession localSession() {
    return local == null || !options.auth().localSession()
        ? null
        : new LocalSession(local.getPrivate(), options.auth().localSessionTtl(), clock);
  }

  JwtVerifier jwtVerifier() {
    return new JwtVerifier(publicKey(), options.auth().jwtRules(), clock);
  }

  private PublicKey publicKey() {
    if (local != null) {
      return local.getPublic();
    }
    Path file = options.auth().publicKey();
    try {
      return SigningKeys.external(file == null ? Path.of("") : file);
    } catch (IllegalArgumentException e) {
      throw new BadOption(Variable.JWT_PUBLIC_KEY, "cannot be used: " + e.getMessage());
    }
  }
}
