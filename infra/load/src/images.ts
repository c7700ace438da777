import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { printLine } from './measure.ts';

/** The size of the images of `make up` without their shared base layers. */
const docker = (...args: string[]): string => {
  try {
    return execFileSync('docker', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '';
  }
};

/** The base image of compose's builds. */
function baseImage(): string {
  const compose = readFileSync(new URL('../../../docker-compose.yml', import.meta.url), 'utf8');
  const image = process.env.NODE_IMAGE || /\$\{NODE_IMAGE:-([^}]+)\}/.exec(compose)?.[1];
  if (!image) throw new Error('docker-compose.yml names no NODE_IMAGE');
  return image;
}

const prefix = process.env.WAYQUEST_IMAGE || 'wayquest';
const names = docker('images', '--format', '{{.Repository}}:{{.Tag}}', `${prefix}-*`)
  .split('\n')
  .filter(Boolean);
if (!names.length) printLine('Docker has no images of Wayquest here; `make up` builds them.');
else {
  const image = baseImage();
  const base = Number(docker('image', 'inspect', '--format', '{{.Size}}', image));
  if (!base) throw new Error(`Docker does not have what they are built on: docker pull ${image}`);
  const sizes = names.map((name) => {
    const above = (Number(docker('image', 'inspect', '--format', '{{.Size}}', name)) - base) / 1e6;
    printLine(`${name}: ${above.toFixed(0)} MB above its base`);
    return above;
  });
  process.send?.({ figures: { above: Math.max(...sizes) } });
}
