package prakriya.engine;

import jakarta.el.ArrayELResolver;
import jakarta.el.BeanELResolver;
import jakarta.el.CompositeELResolver;
import jakarta.el.ELContext;
import jakarta.el.ELResolver;
import jakarta.el.ListELResolver;
import jakarta.el.MapELResolver;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.script.ScriptEngine;
import org.operaton.bpm.engine.ArtifactFactory;
import org.operaton.bpm.engine.delegate.DelegateExecution;
import org.operaton.bpm.engine.impl.cfg.ProcessEngineConfigurationImpl;
import org.operaton.bpm.engine.impl.el.JuelExpressionManager;
import org.operaton.bpm.engine.impl.el.ReadOnlyMapELResolver;
import org.operaton.bpm.engine.impl.el.VariableContextElResolver;
import org.operaton.bpm.engine.impl.el.VariableScopeElResolver;
import org.operaton.bpm.engine.impl.scripting.engine.DefaultScriptEngineResolver;
import org.operaton.bpm.engine.impl.scripting.engine.OperatonScriptEngineManager;
import org.operaton.bpm.engine.impl.scripting.engine.VariableScopeResolverFactory;

/**
 * What a model may reach: variables, a short list of methods on strings and collections, and FEEL. No Java class,
 * no Spring bean, no other script language. The stock expressions would let a model run programs and read secrets.
 */
final class SafeExpressions extends JuelExpressionManager {
  private static final Set<String> METHODS =
      Set.of("list", "size", "length", "isEmpty", "contains", "startsWith", "endsWith", "trim", "equals");
  private static final Set<String> EXECUTION_PROPERTIES = Set.of("processBusinessKey", "processInstanceId", "id");

  /** {@code ${csv.list(ids)}} turns a comma-separated variable into the collection of a multi-instance. */
  public static final class Csv {
    public List<String> list(String values) {
      return values == null || values.isBlank() ? List.of() : List.of(values.trim().split("\\s*,\\s*"));
    }
  }

  private SafeExpressions() {
    super(Map.of("csv", new Csv()));
  }

  static void install(ProcessEngineConfigurationImpl configuration) {
    configuration.setExpressionManager(new SafeExpressions());
    configuration.setArtifactFactory(new ArtifactFactory() {
      @Override
      public <T> T getArtifact(Class<T> type) {
        throw new IllegalArgumentException("a model may not name a class");
      }
    });
    configuration.setScriptEngineResolver(new DefaultScriptEngineResolver(new OperatonScriptEngineManager()) {
      @Override
      public ScriptEngine getScriptEngine(String language, boolean cache) {
        return "feel".equalsIgnoreCase(language) ? super.getScriptEngine("feel", cache) : null;
      }
    });
  }

  /**
   * FEEL sees variables and nothing else. The stock engine binds every Spring bean to every script by its name: a
   * condition could read the settings of the data source, and each one made new beans of all that are no singletons.
   */
  static void restrictScripts(ProcessEngineConfigurationImpl configuration) {
    configuration.getResolverFactories().removeIf(factory -> !(factory instanceof VariableScopeResolverFactory));
  }

  @Override
  protected ELResolver createElResolver() {
    CompositeELResolver resolvers = new CompositeELResolver();
    resolvers.add(new VariableScopeElResolver());
    resolvers.add(new VariableContextElResolver());
    resolvers.add(new ReadOnlyMapELResolver(beans));
    resolvers.add(new ArrayELResolver(true));
    resolvers.add(new ListELResolver(true));
    resolvers.add(new MapELResolver(true));
    resolvers.add(new ListedMembers());
    return resolvers;
  }

  /** Answers the listed properties and methods; for all others nobody answers, and the expression fails. */
  private static final class ListedMembers extends BeanELResolver {
    ListedMembers() {
      super(true);
    }

    @Override
    public Object getValue(ELContext context, Object base, Object property) {
      boolean listed = base instanceof DelegateExecution && EXECUTION_PROPERTIES.contains(property);
      return listed ? super.getValue(context, base, property) : null;
    }

    @Override
    public Object invoke(ELContext context, Object base, Object method, Class<?>[] types, Object[] arguments) {
      boolean plain = base instanceof String || base instanceof Collection || base instanceof Csv;
      return plain && METHODS.contains(method) ? super.invoke(context, base, method, types, arguments) : null;
    }
  }
}
