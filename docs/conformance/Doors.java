// Decode the jobs of docs/conformance by java.nio.charset.

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

class Doors {
    public static void main(String[] arguments) throws Exception {
        System.out.println(Runtime.version().feature());
        for (String line : Files.readAllLines(Path.of("jobs.txt"))) {
            String[] job = line.split("\t");
            Charset charset;
            try {
                charset = Charset.forName(job[1]);
            } catch (IllegalArgumentException error) {
                continue; // it has no encoding of this name
            }
            StringBuilder texts = new StringBuilder();
            for (String data : Files.readAllLines(Path.of(job[0] + ".in"))) {
                for (char unit : new String(HexFormat.of().parseHex(data), charset).toCharArray()) {
                    texts.append(HexFormat.of().toHexDigits(unit));
                }
                texts.append('\n');
            }
            Files.writeString(Path.of(job[0] + "." + job[2] + ".out"), texts, StandardCharsets.US_ASCII);
        }
    }
}
