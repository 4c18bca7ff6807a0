package prakriya.engine;

import javax.sql.DataSource;
import org.operaton.bpm.engine.ProcessEngine;
import org.operaton.bpm.engine.impl.cfg.AbstractProcessEnginePlugin;
import org.operaton.bpm.engine.impl.cfg.ProcessEngineConfigurationImpl;
import org.operaton.bpm.engine.impl.cfg.ProcessEnginePlugin;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.jdbc.core.JdbcTemplate;

/** Operaton behind its REST interface, open to the gateway alone, reporting what happens in its own transactions. */
@SpringBootApplication(proxyBeanMethods = false)
public class EngineApplication {

  public static void main(String[] args) {
    SpringApplication.run(EngineApplication.class, args);
  }

  @Bean
  ProcessEnginePlugin ourBehaviour(DataSource dataSource) {
    return new AbstractProcessEnginePlugin() {
      @Override
      public void preInit(ProcessEngineConfigurationImpl configuration) {
        SafeExpressions.install(configuration);
        configuration.getCustomHistoryEventHandlers().add(new EventRows(dataSource));
      }

      @Override
      public void postInit(ProcessEngineConfigurationImpl configuration) {
        SafeExpressions.restrictScripts(configuration);
      }

      /** Each completion looks for sub-tasks, and without this index reads all open tasks for it. */
      @Override
      public void postProcessEngineBuild(ProcessEngine engine) {
        new JdbcTemplate(dataSource)
            .execute("create index if not exists act_idx_task_parent on act_ru_task (parent_task_id_)");
      }
    };
  }

  @Bean
  FilterRegistrationBean<GatewayFilter> gateway(@Lazy ProcessEngine engine, @Value("${engine.secret}") String secret) {
    var registration = new FilterRegistrationBean<>(new GatewayFilter(engine, secret)); // on every path
    registration.setOrder(Integer.MIN_VALUE);
    return registration;
  }
}
