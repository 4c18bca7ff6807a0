package prakriya.engine;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import javax.sql.DataSource;
import org.operaton.bpm.engine.impl.history.event.HistoricActivityInstanceEventEntity;
import org.operaton.bpm.engine.impl.history.event.HistoricExternalTaskLogEntity;
import org.operaton.bpm.engine.impl.history.event.HistoricIdentityLinkLogEventEntity;
import org.operaton.bpm.engine.impl.history.event.HistoricIncidentEventEntity;
import org.operaton.bpm.engine.impl.history.event.HistoricProcessInstanceEventEntity;
import org.operaton.bpm.engine.impl.history.event.HistoricTaskInstanceEventEntity;
import org.operaton.bpm.engine.impl.history.event.HistoryEvent;
import org.operaton.bpm.engine.impl.history.event.UserOperationLogEntryEventEntity;
import org.operaton.bpm.engine.impl.history.handler.HistoryEventHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Writes each history event that matters to app.engine_event and the id of the command behind it to
 * app.engine_command, in the engine's own transaction: both stand if and only if what they tell has happened, and
 * a command sent twice fails as a whole the second time. Listeners on channel engine_event are woken after commit.
 */
final class EventRows implements HistoryEventHandler {
  /** The command that the current request carries; recorded by the first of its transactions that has events. */
  static final ThreadLocal<String> COMMAND = new ThreadLocal<>();

  private static final Logger LOG = LoggerFactory.getLogger(EventRows.class);
  private static final Map<Class<?>, String> ENTITIES = Map.of(
      HistoricProcessInstanceEventEntity.class, "process-instance",
      HistoricActivityInstanceEventEntity.class, "activity-instance",
      HistoricTaskInstanceEventEntity.class, "task",
      HistoricIdentityLinkLogEventEntity.class, "identity-link",
      HistoricIncidentEventEntity.class, "incident",
      HistoricExternalTaskLogEntity.class, "external-task",
      UserOperationLogEntryEventEntity.class, "user-operation");
  /** External tasks have no event type; these are the names of their states 0 to 3. */
  private static final List<String> EXTERNAL_TASK_STATES = List.of("create", "fail", "success", "delete");

  private final ObjectMapper json = new ObjectMapper()
      .setVisibility(PropertyAccessor.ALL, Visibility.NONE)
      .setVisibility(PropertyAccessor.FIELD, Visibility.ANY)
      .setSerializationInclusion(Include.NON_NULL)
      .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS);
  private final JdbcTemplate jdbc;
  private final Semaphore commits = new Semaphore(0);

  EventRows(DataSource dataSource) {
    jdbc = new JdbcTemplate(dataSource); // joins the Spring transaction of the engine's command
    Thread waker = new Thread(this::wakeListeners, "event-waker");
    waker.setDaemon(true);
    waker.start();
  }

  /**
   * NOTIFY at once, then none for 20 ms however many commits come; and outside of them: inside, it would serialise
   * every commit of the server.
   */
  private void wakeListeners() {
    while (true) {
      try {
        commits.acquire();
        commits.drainPermits();
        jdbc.execute("notify engine_event");
        Thread.sleep(20);
      } catch (InterruptedException e) {
        LOG.info("no more notifications: the engine stops");
        return;
      } catch (RuntimeException e) {
        LOG.warn("listeners were not notified and will find the events by looking: {}", e.getMessage());
      }
    }
  }

  @Override
  public void handleEvents(List<HistoryEvent> events) {
    events.forEach(this::handleEvent);
  }

  @Override
  public void handleEvent(HistoryEvent event) {
    String entity = ENTITIES.get(event.getClass());
    if (entity == null) return; // variables, jobs, decisions: nobody reads them from here
    JsonNode body = json.valueToTree(event);
    batch().rows.add(new Object[] {
        entity, type(event), event.getProcessInstanceId(), body.path("tenantId").asText(null), body.toString()});
  }

  private static String type(HistoryEvent event) {
    if (event instanceof HistoricExternalTaskLogEntity log) return EXTERNAL_TASK_STATES.get(log.getState());
    return event.getEventType() == null ? "create" : event.getEventType(); // user operations have none
  }

  /** The events of the running transaction. */
  private Batch batch() {
    Batch batch = (Batch) TransactionSynchronizationManager.getResource(this);
    if (batch == null) {
      batch = new Batch();
      TransactionSynchronizationManager.bindResource(this, batch);
      TransactionSynchronizationManager.registerSynchronization(batch);
    }
    return batch;
  }

  private final class Batch implements TransactionSynchronization {
    final List<Object[]> rows = new ArrayList<>();

    @Override
    public void beforeCommit(boolean readOnly) {
      String command = COMMAND.get();
      if (command != null) jdbc.update("insert into app.engine_command (id) values (?::uuid)", command);
      jdbc.batchUpdate(
          "insert into app.engine_event (entity, event, process_instance_id, tenant_id, body) values (?, ?, ?, ?, ?::jsonb)",
          rows);
    }

    @Override
    public void afterCommit() {
      COMMAND.remove();
      commits.release();
    }

    @Override
    public void suspend() {
      TransactionSynchronizationManager.unbindResource(EventRows.this);
    }

    @Override
    public void resume() {
      TransactionSynchronizationManager.bindResource(EventRows.this, this);
    }

    @Override
    public void afterCompletion(int status) {
      TransactionSynchronizationManager.unbindResourceIfPossible(EventRows.this);
    }
  }
}
