package agentengine.torture;

/** Instants at which a kill hurts most. */
enum Moment {
  MESSAGE_ACCEPTED,
  TEXT_STREAMED,
  TOOL_ARRIVED,
  TOOL_ANSWERED,
  RESULT_TOLD,
  GATE_ASKED,
  GATE_ANSWERED
}
