import { dump, restore, verify } from './files.ts';

const USAGE = `npm run embedded-mongo -- verify DIR          checks that the documents keep to the unique indexes
npm run embedded-mongo -- dump DIR [TO]       writes what mongorestore reads, into TO or ./dump
npm run embedded-mongo -- restore DIR [FROM]  takes in what mongodump or dump wrote, from FROM or ./dump`;

const [command, directory, other = 'dump'] = process.argv.slice(2);
if (command === 'verify' && directory) {
  for (const { namespace, documents, indexes, problems } of await verify(directory)) {
    console.log(`${namespace}: ${documents} documents, ${indexes} indexes, ${problems.length} problems`);
    for (const problem of problems) console.log(`  ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
  }
} else if (command === 'dump' && directory) {
  for (const namespace of await dump(directory, other)) console.log(`wrote ${namespace} to ${other}`);
} else if (command === 'restore' && directory) {
  for (const namespace of await restore(directory, other)) console.log(`took in ${namespace}`);
} else {
  console.error(USAGE);
  process.exitCode = 2;
}
