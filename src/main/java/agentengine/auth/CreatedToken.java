package agentengine.auth;

import agentengine.secret.Secret;

/** A token just made, with its text, which nothing keeps and nobody can ask for again. */
public record CreatedToken(ApiToken token, Secret text) {}
