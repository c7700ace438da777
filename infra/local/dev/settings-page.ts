import { settingsIn } from '@wayquest/platform/process';
import { z } from 'zod';
import { type Program, programs } from '../src/programs.ts';
import { allInOneSettings, assemblySettings } from '../src/settings.ts';
import { devSettings } from './settings.ts';

type Setting = z.core.$ZodType;

/** What is said of a setting, wherever in it that was written down. */
function described(setting: Setting): string {
  const { description } = z.globalRegistry.get(setting) ?? {};
  if (description) return description;
  if (setting instanceof z.ZodDefault || setting instanceof z.ZodOptional)
    return described(setting.def.innerType);
  throw new Error('a setting has no sentence that says what it is');
}

function usual(setting: Setting): string {
  if (setting instanceof z.ZodDefault) return `\`${setting.def.defaultValue}\``;
  return setting instanceof z.ZodOptional ? '' : 'must be set';
}

function table(settings: Record<string, Setting>): string {
  const rows = Object.entries(settings).map(
    ([name, setting]) => `| \`${name}\` | ${usual(setting)} | ${described(setting)} |`,
  );
  return ['| setting | if not said | what |', '|---|---|---|', ...rows].join('\n');
}

/** What is in all of them. */
const inAll = (all: Record<string, Setting>[]): Record<string, Setting> =>
  all.reduce((common, one) =>
    Object.fromEntries(Object.entries(common).filter(([name]) => Object.hasOwn(one, name))),
  );

const without = (settings: Record<string, Setting>, others: Record<string, Setting>) =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => !Object.hasOwn(others, name)));

const ofService = inAll(
  programs.flatMap(({ name, alone }) => (name === 'gateway' ? [] : [settingsIn(alone)])),
);
const ofAllInOne = settingsIn(allInOneSettings);

const programPart = ({ name, alone }: Program): string => {
  const its = without(settingsIn(alone), ofService);
  return `### ${name}\n${Object.keys(its).length ? table(its) : 'Nothing more.'}`;
};

/** The page of all settings, made from their schemas. */
export const settingsPage = (): string => `# Settings

Made by \`npm run settings-page\` from the schemas in each \`src/settings.ts\`; a change by hand is lost.

A setting is a variable of the environment. \`NAME_FILE\` names a file that holds NAME, for mounted secrets. What is empty
counts as not said. Whatever is wrong is named at the start, all at once. \`docker compose\` reads them from \`.env\`, too.

## The all-in-one (\`make start\`)
It is told what differs from a process of one's own:

${table(without(ofAllInOne, settingsIn(assemblySettings)))}

and everything that the parts below are told, but for the addresses of services. \`make dev\` is told the same, and:

${table(without(settingsIn(devSettings), ofAllInOne))}

## Every service's own process
${table(ofService)}

## Each program
What it is told in every mode, and where those are that it calls when it has a process of its own.

${programs.map(programPart).join('\n\n')}
`;
