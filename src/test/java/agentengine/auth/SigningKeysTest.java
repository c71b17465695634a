package agentengine.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import agentengine.db.Database;
import agentengine.secret.MasterKey;
import agentengine.testing.TestDatabases;
import java.security.KeyPair;
import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class SigningKeysTest {
  private final ManualClock clock = new ManualClock();
  private final MasterKey masterKey = masterKey(1);
  private final TestDatabases.Fresh fresh;

  SigningKeysTest(TestDatabases.Kind kind) {
    fresh = TestDatabases.fresh(kind);
  }

  @AfterEach
  void close() {
    fresh.close();
  }

  @Test
  void theFirstStartMakesAPairThatSignsAndVerifies() {
    KeyPair keys = SigningKeys.local(fresh.open(), masterKey, clock);
    JwtVerifier verifier = new JwtVerifier(keys.getPublic(), JwtRules.NONE, clock);

    String token = TestJwts.signed(keys.getPrivate(), "{\"sub\":\"alice\",\"exp\":1999999999}");

    assertThat(verifier.verify(token).id()).isEqualTo("alice");
  }

  @Test
  void everyLaterStartFindsTheSamePair() {
    Database database = fresh.open();
    KeyPair first = SigningKeys.local(database, masterKey, clock);
    database.close();

    KeyPair second = SigningKeys.local(fresh.open(), masterKey, clock);

    assertThat(second.getPublic()).isEqualTo(first.getPublic());
    assertThat(second.getPrivate()).isEqualTo(first.getPrivate());
  }

  @Test
  void allWhoStartAtOnceGetTheSamePair() throws Exception {
    Database one = fresh.open();
    Database another = one.shared() ? fresh.open() : one;
    Callable<KeyPair> onOne = () -> SigningKeys.local(one, masterKey, clock);
    Callable<KeyPair> onAnother = () -> SigningKeys.local(another, masterKey, clock);
    Set<Object> pairs = new HashSet<>();

    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<KeyPair> keys :
          threads.invokeAll(List.of(onOne, onAnother, onOne, onAnother, onOne, onAnother))) {
        pairs.add(List.of(keys.get().getPublic(), keys.get().getPrivate()));
      }
    }

    assertThat(pairs).hasSize(1);
  }

  @Test
  void thePrivateHalfIsNotReadableInTheDatabase() {
    Database database = fresh.open();
    KeyPair keys = SigningKeys.local(database, masterKey, clock);

    String stored =
        database.read(
            handle ->
                handle
                    .createQuery("SELECT private_key FROM signing_key")
                    .mapTo(String.class)
                    .one());

    byte[] plain = keys.getPrivate().getEncoded();
    assertThat(HexFormat.of().formatHex(Base64.getDecoder().decode(stored)))
        .doesNotContain(HexFormat.of().formatHex(plain));
  }

  @Test
  void anotherMasterKeyDoesNotOpenThePair() {
    Database database = fresh.open();
    SigningKeys.local(database, masterKey, clock);

    assertThatThrownBy(() -> SigningKeys.local(database, masterKey(2), clock))
        .isInstanceOf(MasterKey.WrongKeyException.class);
  }

  private static MasterKey masterKey(int fill) {
    byte[] key = new byte[32];
    key[0] = (byte) fill;
    return MasterKey.ofBase64(Base64.getEncoder().encodeToString(key));
  }
}
