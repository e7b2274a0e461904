import com.google.gson.Gson;
import com.google.gson.JsonElement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.yaml.snakeyaml.Yaml;

/** Checks documents against the models that are made of Kubernetes' own schema. */
class Manifest {
  public static void main(String[] files) throws Exception {
    for (String file : files) {
      for (Object document : new Yaml().loadAll(Files.readString(Path.of(file)))) {
        var fields = (Map<?, ?>) document;
        String version = fields.get("apiVersion").toString().replaceAll(".*/", "");
        String model =
            "io.kubernetes.client.openapi.models."
                + version.substring(0, 1).toUpperCase()
                + version.substring(1)
                + fields.get("kind");
        Class.forName(model)
            .getMethod("validateJsonElement", JsonElement.class)
            .invoke(null, new Gson().toJsonTree(document));
        System.out.println("valid: " + fields.get("kind"));
      }
    }
  }
}
