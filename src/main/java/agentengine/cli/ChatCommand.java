package agentengine.cli;

import java.io.IOException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code engine chat}: a conversation in the terminal, or one question in a script. */
public final class ChatCommand implements Command.Action {
  private static final String SESSION = "--session";
  private static final String MESSAGE = "--message";

  private final Shell shell;
  private final Patience patience;

  public ChatCommand(Shell shell) {
    this(shell, Patience.USUAL);
  }

  ChatCommand(Shell shell, Patience patience) {
    this.shell = shell;
    this.patience = patience;
  }

  @Override
  public CommandSpec spec() {
    CommandSpec spec = CommandSpec.create().name("chat");
    spec.usageMessage()
        .description("Chat with a schema of a running engine.")
        .footer(
            "",
            "Without --message each line of the standard input is a message. The answers go to the",
            "standard output, all else to the standard error.",
            "",
            "Examples:",
            "  engine chat assistant",
            "  engine chat assistant --message 'What is new?' > answer.txt");
    spec.addPositional(
        PositionalParamSpec.builder()
            .index("0")
            .type(String.class)
            .paramLabel("SCHEMA")
            .required(true)
            .description("name of the schema")
            .build());
    spec.addOption(option(SESSION, "ID", "continue this session"));
    spec.addOption(option(MESSAGE, "TEXT", "send one message, print the answer and exit"));
    Target.addOptionsTo(spec);
    return spec;
  }

  private static OptionSpec option(String name, String label, String description) {
    return OptionSpec.builder(name)
        .type(String.class)
        .paramLabel(label)
        .description(description)
        .build();
  }

  @Override
  public int run(ParseResult parsed) throws IOException, InterruptedException {
    Target target = Target.read(parsed, shell);
    String schema = parsed.matchedPositionalValue(0, "");
    String command =
        "./engine chat " + schema + (target.isChosen() ? " --url " + target.url() : "");
    Chat.Parts parts =
        new Chat.Parts(
            new ApiClient(target, patience),
            new Transcript(shell),
            new InputLines(shell.in()),
            shell.interactive(),
            patience);
    try (Chat chat = new Chat(parts, schema, command, parsed.matchedOptionValue(SESSION, null));
        OnInterrupt _ = new OnInterrupt(chat::interrupt)) {
      boolean answered =
          parsed.hasMatchedOption(MESSAGE)
              ? chat.say(parsed.matchedOptionValue(MESSAGE, ""))
              : chat.converse();
      return answered ? 0 : 1;
    }
  }
}
