package dev.imker.jobfile.files;

import dev.imker.model.job.InputFile;
import java.io.IOException;
import java.util.List;

/** Named sets of files that a pool stores for all users. */
public interface DataSets {
  DataSets NONE =
      new DataSets() {
        @Override
        public List<InputFile> files(String name) throws IOException {
          throw new IOException("there are no data sets here");
        }

        @Override
        public byte[] read(String name, InputFile file) throws IOException {
          throw new IOException("there are no data sets here");
        }
      };

  /**
   * The files of a set.
   *
   * @throws IOException that says why there are none, with similar names if it is unknown
   */
  List<InputFile> files(String name) throws IOException;

  /** The content of one of them. */
  byte[] read(String name, InputFile file) throws IOException;
}
