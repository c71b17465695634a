package agentengine.cli;

import agentengine.auth.NewToken;
import agentengine.auth.Scope;
import agentengine.json.Json;
import agentengine.secret.Secret;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The tokens of a running engine, through its API. */
record TokensOfEngine(ApiClient api) implements TokenAccess {
  private static final String PATH = "/auth/tokens";

  @Override
  public TokenInfo.Created create(NewToken wish) throws IOException {
    ObjectNode body = Json.object().put("name", wish.name());
    body.set("scopes", Json.array(wish.scopes().stream().map(Scope::wireName).toList()));
    if (wish.expiresAt() != null) {
      body.put("expires_at", wish.expiresAt().toString());
    }
    JsonNode answer = api.post(PATH, body);
    return new TokenInfo.Created(TokenInfo.of(answer), new Secret(answer.path("token").asText()));
  }

  @Override
  public List<TokenInfo> list() throws IOException {
    List<TokenInfo> tokens = new ArrayList<>();
    api.get(PATH).forEach(token -> tokens.add(TokenInfo.of(token)));
    return tokens;
  }

  @Override
  public void revoke(String id) throws IOException {
    api.delete(PATH + "/" + ApiClient.segment(id));
  }

  @Override
  public void close() {}
}
