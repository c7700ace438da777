import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';

/** A ZIP that is written piece by piece: what is finished is taken out in between, so that it need not fit into memory. */
export function createZipping() {
  let finished: Uint8Array[] = [];
  let failure: Error | undefined;
  const zip = new Zip((error, chunk) => {
    if (error) failure = error;
    else finished.push(chunk);
  });
  const bytes = new TextEncoder();

  return {
    /** A file that does not get smaller. */
    add(name: string, data: Uint8Array): void {
      const file = new ZipPassThrough(name);
      zip.add(file);
      file.push(data, true);
    },

    /** A file of JSON: a list whose items come one by one. */
    list(name: string) {
      const file = new ZipDeflate(name, { level: 6 });
      zip.add(file);
      let before = '[\n';
      return {
        push(item: unknown): void {
          file.push(bytes.encode(before + JSON.stringify(item, null, 1)));
          before = ',\n';
        },
        end(): void {
          file.push(bytes.encode(before === '[\n' ? '[]\n' : '\n]\n'), true);
        },
      };
    },

    end: () => zip.end(),

    /** What is finished since it was last taken. */
    take(): Buffer {
      if (failure) throw failure;
      const taken = Buffer.concat(finished);
      finished = [];
      return taken;
    },
  };
}
