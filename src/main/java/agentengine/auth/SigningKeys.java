package agentengine.auth;

import agentengine.db.Database;
import agentengine.secret.MasterKey;
import agentengine.secret.Secret;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Where the Ed25519 key comes from that tokens are checked with, in either mode. */
public final class SigningKeys {
  private static final String PURPOSE = "signing_key";

  private SigningKeys() {}

  private record Stored(String publicKey, String sealedPrivateKey) {}

  /**
   * The pair of local mode, made by the first start. All nodes of one database share it.
   *
   * @throws MasterKey.WrongKeyException when the private half was sealed under another master key
   */
  public static KeyPair local(Database database, MasterKey masterKey, InstantSource clock) {
    Stored stored =
        database
            .read(SigningKeys::find)
            .orElseGet(() -> storeIfAbsent(database, fresh(masterKey), clock.millis()));
    Base64.Decoder base64 = Base64.getDecoder();
    try {
      Secret privateKey = masterKey.open(stored.sealedPrivateKey(), PURPOSE);
      return new KeyPair(
          Ed25519.publicKey(base64.decode(stored.publicKey())),
          Ed25519.privateKey(base64.decode(privateKey.reveal())));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the signing key in the database is damaged", e);
    }
  }

  /**
   * The public key of external mode, from a file in PEM or JWK form.
   *
   * @throws IllegalArgumentException with what is wrong with the file, in one line
   */
  public static PublicKey external(Path file) {
    return PublicKeyFile.read(file);
  }

  private static Stored fresh(MasterKey masterKey) {
    KeyPair pair = Ed25519.generate();
    Base64.Encoder base64 = Base64.getEncoder();
    Secret privateKey = new Secret(base64.encodeToString(pair.getPrivate().getEncoded()));
    return new Stored(
        base64.encodeToString(pair.getPublic().getEncoded()), masterKey.seal(privateKey, PURPOSE));
  }

  /** Stores the pair and gives back the one that is stored, which may be another node's. */
  private static Stored storeIfAbsent(Database database, Stored fresh, long now) {
    return database.write(
        handle -> {
          handle
              .createUpdate(
                  """
                  INSERT INTO signing_key (id, public_key, private_key, created_at)
                  VALUES (1, :publicKey, :privateKey, :now)
                  ON CONFLICT (id) DO NOTHING
                  """)
              .bind("publicKey", fresh.publicKey())
              .bind("privateKey", fresh.sealedPrivateKey())
              .bind("now", now)
              .execute();
          return find(handle).orElseThrow();
        });
  }

  private static Optional<Stored> find(Handle handle) {
    return handle
        .createQuery("SELECT public_key, private_key FROM signing_key WHERE id = 1")
        .map((row, _) -> new Stored(row.getString("public_key"), row.getString("private_key")))
        .findOne();
  }
}
