package agentengine.torture;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The kinds of turns that clients draw from. */
enum Scenario {
  PLAIN,
  UNSAFE,
  IDEMPOTENT,
  READ_ONLY,
  PARALLEL,
  SEQUENCE,
  GATE,
  TWO_GATES,
  SUB_AGENT,
  GATE_IN_SUB_AGENT,
  GATE_OF_THE_SUB_AGENT,
  PARALLEL_SUB_AGENTS,
  NESTED,
  STRUCTURED_OUTPUT;

  /** The turn of this kind with this name. */
  Plan plan(Random random, String name) {
    Draw draw = new Draw(random, name);
    return switch (this) {
      case PLAIN -> draw.plan(Agent.BOSS, Plan.Ending.WORDS);
      case UNSAFE -> draw.calls(Agent.BOSS, Tool.CHARGE);
      case IDEMPOTENT -> draw.calls(Agent.BOSS, Tool.STORE);
      case READ_ONLY -> draw.calls(Agent.BOSS, Tool.LOOK);
      case PARALLEL -> draw.calls(Agent.BOSS, Tool.STORE, Tool.CHARGE, Tool.LOOK);
      case SEQUENCE -> draw.sequence();
      case GATE -> draw.calls(Agent.BOSS, Tool.WIRE);
      case TWO_GATES -> draw.calls(Agent.BOSS, Tool.WIRE, Tool.STAMP);
      case SUB_AGENT -> draw.delegated(draw.calls(Agent.HELPER, draw.anyTool()));
      case GATE_IN_SUB_AGENT -> draw.delegated(draw.calls(Agent.HELPER, Tool.WIRE));
      case GATE_OF_THE_SUB_AGENT -> draw.delegated(draw.calls(Agent.CLERK, Tool.STORE));
      case PARALLEL_SUB_AGENTS ->
          draw.delegated(
              draw.calls(Agent.HELPER, draw.anyTool()), draw.calls(Agent.CLERK, draw.anyTool()));
      case NESTED ->
          draw.delegated(draw.delegated(Agent.HELPER, draw.calls(Agent.CLERK, draw.anyTool())));
      case STRUCTURED_OUTPUT -> draw.plan(Agent.BOSS, Plan.Ending.STRUCTURED_OUTPUT);
    };
  }

  /** Draws the details, with names that all begin with that of the message. */
  private static final class Draw {
    private static final int MAX_WAIT_MILLIS = 250;
    private static final int MAX_PACE_MILLIS = 12;

    private final Random random;
    private final String name;
    private int used;

    Draw(Random random, String name) {
      this.random = random;
      this.name = name;
    }

    private String nextName() {
      used++;
      return name + "-" + used;
    }

    Plan plan(Agent agent, Plan.Ending ending, Plan.Step... steps) {
      return new Plan(
          nextName(), agent, List.of(steps), ending, 1 + random.nextInt(MAX_PACE_MILLIS));
    }

    /** One step in which these are called at once. */
    Plan calls(Agent agent, Tool... tools) {
      return plan(agent, Plan.Ending.RESULTS, step(agent, tools));
    }

    private Plan.Step step(Agent agent, Tool... tools) {
      List<Plan.Action> actions = new ArrayList<>();
      for (Tool tool : tools) {
        actions.add(new Plan.Action.Use(call(agent, tool)));
      }
      return new Plan.Step(actions);
    }

    Plan sequence() {
      return plan(
          Agent.BOSS,
          Plan.Ending.RESULTS,
          step(Agent.BOSS, anyTool()),
          step(Agent.BOSS, anyTool(), anyTool()));
    }

    Plan delegated(Plan... plans) {
      return delegated(Agent.BOSS, plans);
    }

    Plan delegated(Agent agent, Plan... plans) {
      List<Plan.Action> actions = new ArrayList<>();
      for (Plan plan : plans) {
        actions.add(new Plan.Action.Spawn(plan));
      }
      return plan(agent, Plan.Ending.RESULTS, new Plan.Step(actions));
    }

    Tool anyTool() {
      return Pick.oneOf(Tool.values(), random);
    }

    private Call call(Agent agent, Tool tool) {
      boolean quick = random.nextInt(3) == 0;
      return new Call(
          nextName(),
          tool,
          agent.asksBefore(tool),
          random.nextInt(3) > 0,
          quick ? 0 : random.nextInt(MAX_WAIT_MILLIS));
    }
  }
}
