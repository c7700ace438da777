import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface TestMail {
  subject: string;
  text: string;
  /** Token and path of the link in the email; empty without one. */
  token: string;
  path: string;
}

const fileNames = async (directory: string): Promise<string[]> => {
  try {
    return (await readdir(directory)).sort();
  } catch {
    // No email has been written yet.
    return [];
  }
};

/** Reads the emails to an address from a folder, the newest last. */
export const mailsIn =
  (directory: string) =>
  async (address: string): Promise<TestMail[]> => {
    const names = await fileNames(directory);
    const files = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')));
    return files.flatMap((file) => {
      const [head = '', ...text] = file.split('\n\n');
      if (!head.split('\n').includes(`To: ${address}`)) return [];
      const [, subject = ''] = /^Subject: (.*)$/m.exec(head) ?? [];
      const [, path = '', token = ''] = /^https?:\/\/[^/]+(\/\S*)#token=(\S+)$/m.exec(file) ?? [];
      return [{ subject, text: text.join('\n\n'), path, token }];
    });
  };
