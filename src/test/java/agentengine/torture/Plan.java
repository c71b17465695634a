package agentengine.torture;

import agentengine.json.Json;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What an agent is told to do in one turn: calls and sub-agents step by step, then its last words.
 *
 * @param name unique; the text of the message begins with it
 * @param paceMillis the pause before each piece of what the model sends
 */
record Plan(String name, Agent agent, List<Step> steps, Ending ending, int paceMillis) {
  /** What is done at the same time. */
  record Step(List<Action> actions) {}

  /** Something that the agent does. */
  sealed interface Action {
    /** It calls a tool. */
    record Use(Call call) implements Action {}

    /** It lets another agent work. */
    record Spawn(Plan plan) implements Action {}
  }

  /** How the turn ends. */
  enum Ending {
    /** With a text that repeats all results. */
    RESULTS,
    /** With a text of some words. */
    WORDS,
    /** With a structured output, and no words. */
    STRUCTURED_OUTPUT
  }

  private static final String WORDS =
      "the quick brown fox jumps over the lazy dog and runs far away into the deep dark wood";

  /** The message that makes the simulator act like this. */
  String message() {
    Stream<String> answers =
        Stream.concat(
            steps.stream()
                .map(
                    step ->
                        step.actions().stream().map(Plan::cue).collect(Collectors.joining(" "))),
            Stream.of(endingCue()));
    return name
        + ": "
        + answers
            .map(cues -> "[[pace " + paceMillis + "ms]] " + cues)
            .collect(Collectors.joining(" [[then]] "));
  }

  private static String cue(Action action) {
    return switch (action) {
      case Action.Use(Call call) -> call.cue();
      case Action.Spawn(Plan plan) ->
          "[[tool "
              + plan.tool()
              + " "
              + Json.write(Json.object().put("task", plan.message()))
              + "]]";
    };
  }

  private String endingCue() {
    return switch (ending) {
      case RESULTS -> "[[say " + opening() + "{{results}}]]";
      case WORDS -> "[[think Let me see]] [[say " + opening() + WORDS + "]]";
      case STRUCTURED_OUTPUT ->
          "[[tool show_structured_output "
              + Json.write(Json.object().put("output_type", "info").put("title", name))
              + "]]";
    };
  }

  /** What its last words begin with. */
  String opening() {
    return name + " says: ";
  }

  /** The whole answer where it does not depend on any result. */
  boolean answersExactly(String text) {
    return ending != Ending.WORDS || text.equals(opening() + WORDS);
  }

  /** The tool that another agent calls to have this done. */
  String tool() {
    return "spawn_" + agent.wireName();
  }

  /** What the agent itself does, in order. */
  List<Action> actions() {
    return steps.stream().flatMap(step -> step.actions().stream()).toList();
  }

  /** This plan and those of all sub-agents. */
  Stream<Plan> tree() {
    return Stream.concat(
        Stream.of(this),
        actions().stream()
            .flatMap(
                action ->
                    action instanceof Action.Spawn(Plan plan) ? plan.tree() : Stream.empty()));
  }

  /** The tool calls of this agent and of all below it. */
  List<Call> allCalls() {
    return tree()
        .flatMap(plan -> plan.actions().stream())
        .flatMap(action -> action instanceof Action.Use(Call call) ? Stream.of(call) : Stream.of())
        .toList();
  }
}
