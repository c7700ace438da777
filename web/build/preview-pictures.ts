import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type PlaceCategory, placeCategories } from '@wayquest/contracts';
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

/** Writes a picture of each kind of place into `images/place-categories/`, for previews of links, whose readers show no SVG. */
export async function writePreviewPictures(
  renderPlacePicture: (placeCategory: PlaceCategory) => string,
  { root, dist }: { root: string; dist: string },
): Promise<void> {
  const sheet = join(root, 'src/entities/challenges/pictures/PlacePicture.module.css');
  const css = await readFile(sheet, 'utf8');
  const directory = join(dist, 'images/place-categories');
  await mkdir(directory, { recursive: true });
  await Promise.all(
    placeCategories.map(async (placeCategory) => {
      const drawn = renderPlacePicture(placeCategory);
      const colours = coloursOf(css, drawn);
      const svg = drawn
        .replace('<svg', `<svg xmlns="http://www.w3.org/2000/svg" ${size}`)
        .replace(/viewBox="[^"]*"/, 'viewBox="-30 0 381 200"')
        .replace(/var\((--[\w-]+)\)/g, (_, name: string) => {
          const colour = colours.get(name);
          if (!colour) throw new Error(`${sheet} gives no ${name} to the picture of ${placeCategory}`);
          return colour;
        });
      await sharp(Buffer.from(svg))
        .jpeg({ quality: 82, mozjpeg: true })
        .toFile(join(directory, `${placeCategory}.jpg`));
    }),
  );
}
