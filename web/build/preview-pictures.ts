import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Scene, scenes } from '@wayquest/contracts';
import sharp from 'sharp';

/** What readers of link previews show in full (The Open Graph protocol; 1.91 to 1). */
const size = 'width="1200" height="630"';

/** The colours that a style sheet gives to a picture with these attributes, by name. */
function coloursOf(css: string, picture: string): Map<string, string> {
  const colours = new Map<string, string>();
  for (const [, tests = '', declarations = ''] of css.matchAll(/^\.picture((?:\[[^\]]+\])*) \{([^}]*)\}/gm)) {
    const applies = [...tests.matchAll(/\[([^\]]+)\]/g)].every(([, test = '']) => picture.includes(test));
    if (!applies) continue;
    for (const [, name = '', colour = ''] of declarations.matchAll(/(--[\w-]+): ([^;]+);/g))
      colours.set(name, colour);
  }
  return colours;
}

/** Writes a picture of each kind of place into `images/scenes/`, for previews of links, whose readers show no SVG. */
export async function writePreviewPictures(
  drawPicture: (scene: Scene) => string,
  { root, dist }: { root: string; dist: string },
): Promise<void> {
  const sheet = join(root, 'src/entities/challenges/pictures/PlacePicture.module.css');
  const css = await readFile(sheet, 'utf8');
  const directory = join(dist, 'images/scenes');
  await mkdir(directory, { recursive: true });
  await Promise.all(
    scenes.map(async (scene) => {
      const drawn = drawPicture(scene);
      const colours = coloursOf(css, drawn);
      const svg = drawn
        .replace('<svg', `<svg xmlns="http://www.w3.org/2000/svg" ${size}`)
        .replace(/viewBox="[^"]*"/, 'viewBox="-30 0 381 200"')
        .replace(/var\((--[\w-]+)\)/g, (_, name: string) => {
          const colour = colours.get(name);
          if (!colour) throw new Error(`${sheet} gives no ${name} to the picture of ${scene}`);
          return colour;
        });
      await sharp(Buffer.from(svg))
        .jpeg({ quality: 82, mozjpeg: true })
        .toFile(join(directory, `${scene}.jpg`));
    }),
  );
}
