package agentengine.cli;

import agentengine.auth.NewToken;
import java.io.IOException;
import java.util.List;

/** The API tokens, reached in one of two ways. */
sealed interface TokenAccess extends AutoCloseable permits TokensOfEngine, TokensOfStore {
  TokenInfo.Created create(NewToken wish) throws IOException;

  /** All that are not revoked, newest first. */
  List<TokenInfo> list() throws IOException;

  void revoke(String id) throws IOException;

  @Override
  void close();
}
