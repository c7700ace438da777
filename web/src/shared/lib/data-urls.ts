/** Returns the file of a `data:` URL that `dataUrlOf` returned. */
export function fileOf(url: string): Blob {
  const [, type = '', data = ''] = /^data:([^;,]*);base64,(.*)$/.exec(url) ?? [];
  return new Blob([Uint8Array.from(atob(data), (byte) => byte.charCodeAt(0))], { type });
}

/** Returns a `data:` URL of a file: the content security policy allows no `blob:` URLs. */
export const dataUrlOf = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
