package agentengine.trace;

import io.opentelemetry.api.common.AttributeKey;

/** The attributes of spans: those of the conventions, and the engine's own. */
final class OtlpNames {
  static final AttributeKey<String> SERVICE_NAME = AttributeKey.stringKey("service.name");
  static final AttributeKey<String> SERVICE_VERSION = AttributeKey.stringKey("service.version");

  static final AttributeKey<String> OPERATION = AttributeKey.stringKey("gen_ai.operation.name");
  static final AttributeKey<String> AGENT = AttributeKey.stringKey("gen_ai.agent.name");
  static final AttributeKey<String> CONVERSATION = AttributeKey.stringKey("gen_ai.conversation.id");
  static final AttributeKey<String> PROVIDER = AttributeKey.stringKey("gen_ai.provider.name");
  static final AttributeKey<String> MODEL = AttributeKey.stringKey("gen_ai.request.model");
  static final AttributeKey<String> TOOL = AttributeKey.stringKey("gen_ai.tool.name");
  static final AttributeKey<String> TOOL_CALL = AttributeKey.stringKey("gen_ai.tool.call.id");
  static final AttributeKey<String> TOOL_TYPE = AttributeKey.stringKey("gen_ai.tool.type");
  static final AttributeKey<Long> INPUT = AttributeKey.longKey("gen_ai.usage.input_tokens");
  static final AttributeKey<Long> OUTPUT = AttributeKey.longKey("gen_ai.usage.output_tokens");
  static final AttributeKey<Long> CACHE_READ =
      AttributeKey.longKey("gen_ai.usage.cache_read.input_tokens");
  static final AttributeKey<Long> CACHE_WRITTEN =
      AttributeKey.longKey("gen_ai.usage.cache_creation.input_tokens");
  static final AttributeKey<Long> REASONING =
      AttributeKey.longKey("gen_ai.usage.reasoning.output_tokens");

  static final AttributeKey<String> SERVER_ADDRESS = AttributeKey.stringKey("server.address");
  static final AttributeKey<Long> SERVER_PORT = AttributeKey.longKey("server.port");
  static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");

  static final AttributeKey<Long> TURN = AttributeKey.longKey("engine.turn");
  static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("engine.attempt");
  static final AttributeKey<String> TASK = AttributeKey.stringKey("engine.task.id");

  private OtlpNames() {}
}
