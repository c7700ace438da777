import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';

/** A ZIP that is written in parts, which are taken out in between, so that it need not fit into memory. */
export function createZipStream() {
  let chunks: Uint8Array[] = [];
  let failure: Error | undefined;
  const zip = new Zip((error, chunk) => {
    if (error) failure = error;
    else chunks.push(chunk);
  });
  const encoder = new TextEncoder();

  return {
    /** A file that is stored without compression. */
    add(name: string, data: Uint8Array): void {
      const file = new ZipPassThrough(name);
      zip.add(file);
      file.push(data, true);
    },

    /** A JSON file: a list whose items are added one by one. */
    list(name: string) {
      const file = new ZipDeflate(name, { level: 6 });
      zip.add(file);
      let separator = '[\n';
      return {
        push(item: unknown): void {
          file.push(encoder.encode(separator + JSON.stringify(item, null, 1)));
          separator = ',\n';
        },
        end(): void {
          file.push(encoder.encode(separator === '[\n' ? '[]\n' : '\n]\n'), true);
        },
      };
    },

    end: () => zip.end(),

    /** The bytes written since the last call. */
    read(): Buffer {
      if (failure) throw failure;
      const taken = Buffer.concat(chunks);
      chunks = [];
      return taken;
    },
  };
}
