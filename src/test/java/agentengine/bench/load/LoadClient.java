package agentengine.bench.load;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * Runs the scenarios that come as lines of JSON, and answers each with a line that is its result.
 */
public final class LoadClient {

  private LoadClient() {}

  /** Ends with its standard input: it cannot outlive its parent. */
  public static void main(String[] args) throws IOException {
    JsonMapper json = new JsonMapper();
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Scenario scenario = json.readValue(line, Scenario.class);
      System.out.println(json.writeValueAsString(new LoadRun(scenario).run()));
    }
  }
}
