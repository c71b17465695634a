package agentengine.contract;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.config.Variable;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Instant;
import java.util.Base64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Authentication in the mode external, with JWTs that an identity provider of our own signs. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExternalModeContractTest {
  private static final String EDDSA = "{\"alg\":\"EdDSA\",\"typ\":\"JWT\"}";

  private final KeyPair keys = newKeys();
  private final long now = Instant.now().getEpochSecond();
  private final TestEngine engine;
  private final Http nobody;

  ExternalModeContractTest(@TempDir Path directory) throws IOException {
    Base64.Encoder mime = Base64.getMimeEncoder(64, new byte[] {'\n'});
    Path pem =
        Files.writeString(
            directory.resolve("public.pem"),
            "-----BEGIN PUBLIC KEY-----\n"
                + mime.encodeToString(keys.getPublic().getEncoded())
                + "\n-----END PUBLIC KEY-----\n");
    engine =
        TestEngine.start(
            TestDatabases.Kind.SQLITE,
            options -> {
              options.put(Variable.AUTH_MODE, "external");
              options.put(Variable.JWT_PUBLIC_KEY, pem.toString());
            });
    nobody = new Http(engine.port(), "");
  }

  @AfterAll
  void stop() {
    engine.close();
  }

  private static KeyPair newKeys() {
    try {
      return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String part(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static String jwt(KeyPair signer, String header, String claims) {
    String signed =
        part(header.getBytes(StandardCharsets.UTF_8))
            + "."
            + part(claims.getBytes(StandardCharsets.UTF_8));
    try {
      Signature signature = Signature.getInstance("Ed25519");
      signature.initSign(signer.getPrivate());
      signature.update(signed.getBytes(StandardCharsets.UTF_8));
      return signed + "." + part(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private String claims(String more) {
    return "{\"sub\":\"ann\",\"exp\":" + (now + 600) + more + "}";
  }

  private Http with(String more) {
    return nobody.as(jwt(keys, EDDSA, claims(more)));
  }

  @Test
  void the_service_issues_no_tokens() {
    nobody.post("/auth/local-session").isError(404, "not_found");
  }

  @Test
  void a_JWT_signed_with_the_configured_key_is_accepted_with_the_scopes_of_its_claim() {
    with(",\"scope\":\"agents:read chat\"").get("/agents").json(200);
    with(",\"scopes\":[\"agents:read\"]").get("/agents").json(200);
    with(",\"scope\":\"chat\"").get("/agents").isError(403, "forbidden");
    with("").get("/agents").isError(403, "forbidden");
  }

  @Test
  void a_JWT_is_Ed25519_only_and_needs_exp_and_sub() {
    String admin = ",\"scope\":\"admin\"";
    String plain = "{\"alg\":\"none\"}";
    String otherAlgorithm = "{\"alg\":\"HS256\",\"typ\":\"JWT\"}";
    String expired = "{\"sub\":\"ann\",\"scope\":\"admin\",\"exp\":" + (now - 120) + "}";
    for (String token :
        new String[] {
          jwt(newKeys(), EDDSA, claims(admin)),
          jwt(keys, plain, claims(admin)),
          jwt(keys, otherAlgorithm, claims(admin)),
          jwt(keys, EDDSA, expired),
          jwt(keys, EDDSA, "{\"sub\":\"ann\",\"scope\":\"admin\"}"),
          jwt(keys, EDDSA, "{\"scope\":\"admin\",\"exp\":" + (now + 600) + "}"),
          jwt(keys, EDDSA, claims(admin)) + "x"
        }) {
      Reply reply = nobody.as(token).get("/agents");
      reply.isError(401, "unauthorized");
      assertThat(reply.header("WWW-Authenticate")).startsWith("Bearer");
    }
  }

  @Test
  void API_tokens_work_too() {
    JsonNode token = with(",\"scope\":\"admin\"").newToken("agents:read").json(201);
    nobody.as(token.path("token").textValue()).get("/agents").json(200);
  }

  @Test
  void owner_is_the_subject_of_the_JWT() {
    String session =
        with(",\"scope\":\"chat\"")
            .ask("help", "[[say Hi]]")
            .json(200)
            .path("session_id")
            .textValue();

    String other =
        jwt(keys, EDDSA, "{\"sub\":\"bob\",\"scope\":\"chat\",\"exp\":" + (now + 600) + "}");
    with(",\"scope\":\"chat\"").get("/sessions/" + session).json(200);
    nobody.as(other).get("/sessions/" + session).isError(404, "not_found");
  }
}
