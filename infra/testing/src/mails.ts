import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface WrittenMail {
  subject: string;
  text: string;
  /** The token and the path of its link; empty without one. */
  token: string;
  path: string;
}

const namesIn = async (directory: string): Promise<string[]> => {
  try {
    return (await readdir(directory)).sort();
  } catch {
    // No mail has been written yet.
    return [];
  }
};

/** Reads the mails in a folder to an address, the newest last. */
export const mailsIn =
  (directory: string) =>
  async (address: string): Promise<WrittenMail[]> => {
    const names = await namesIn(directory);
    const files = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')));
    return files.flatMap((file) => {
      const [head = '', ...text] = file.split('\n\n');
      if (!head.split('\n').includes(`To: ${address}`)) return [];
      const [, subject = ''] = /^Subject: (.*)$/m.exec(head) ?? [];
      const [, path = '', token = ''] = /^https?:\/\/[^/]+(\/\S*)#token=(\S+)$/m.exec(file) ?? [];
      return [{ subject, text: text.join('\n\n'), path, token }];
    });
  };
