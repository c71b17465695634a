package agentengine.model;

/** Hears a model's answer while it is being made, on the thread that reads it. */
public interface ModelListener {
  void thinking(String text);

  void text(String text);

  /** All that had arrived was passed on; the next piece may take a while. */
  void pause();
}
