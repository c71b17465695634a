package agentengine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.config.Variable;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenPostgresTest {
  @TempDir Path directory;

  @Test
  void a_first_token_is_made_beside_a_running_engine_that_issues_none()
      throws IOException, GeneralSecurityException {
    String key = publicKey().toString();
    try (TestEngine engine =
        TestEngine.start(
            TestDatabases.Kind.POSTGRES,
            options -> {
              options.put(Variable.AUTH_MODE, "external");
              options.put(Variable.JWT_PUBLIC_KEY, key);
            })) {
      Map<String, String> environment = CommandRun.beside(engine);

      CommandRun created =
          CommandRun.of(
              environment, "token", "create", "--name", "first", "--scopes", "chat,admin");

      assertThat(created.err())
          .startsWith("directly in the store in PostgreSQL (this engine gives out no local ")
          .doesNotContain("postgres:postgres");
      environment.put("ENGINE_TOKEN", created.out().strip());
      assertThat(CommandRun.of(environment, "token", "list").out()).contains("  first  chat,admin");
      assertThat(CommandRun.of(environment, "chat", "help", "--message", "[[say a]]").out())
          .isEqualTo("a\n");
    }
  }

  private Path publicKey() throws IOException, GeneralSecurityException {
    byte[] key = KeyPairGenerator.getInstance("Ed25519").generateKeyPair().getPublic().getEncoded();
    return Files.writeString(
        directory.resolve("jwt.pem"),
        "-----BEGIN PUBLIC KEY-----\n"
            + Base64.getMimeEncoder().encodeToString(key)
            + "\n-----END PUBLIC KEY-----\n");
  }
}
