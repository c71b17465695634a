package agentengine.secret;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import agentengine.db.Database;
import agentengine.testing.TestDatabases;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class MasterKeyCheckTest {
  private final TestDatabases.Fresh fresh;

  MasterKeyCheckTest(TestDatabases.Kind kind) {
    fresh = TestDatabases.fresh(kind);
  }

  @AfterEach
  void close() {
    fresh.close();
  }

  @Test
  void theKeyOfTheFirstStartIsTheKeyOfEveryLaterStart() {
    Database database = fresh.open();
    MasterKeyCheck.run(database, TestMasterKeys.ofByte(1));
    database.close();

    Database reopened = fresh.open();

    assertThatCode(() -> MasterKeyCheck.run(reopened, TestMasterKeys.ofByte(1)))
        .doesNotThrowAnyException();
  }

  @Test
  void anotherKeyIsRefusedAndDoesNotTakeOver() {
    Database database = fresh.open();
    MasterKeyCheck.run(database, TestMasterKeys.ofByte(1));

    assertThatThrownBy(() -> MasterKeyCheck.run(database, TestMasterKeys.ofByte(2)))
        .isInstanceOf(MasterKey.WrongKeyException.class);

    assertThatCode(() -> MasterKeyCheck.run(database, TestMasterKeys.ofByte(1)))
        .doesNotThrowAnyException();
  }
}
