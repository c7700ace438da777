import { dump, restore, verify } from './files.ts';

const USAGE = `npm run embedded-mongo -- verify DIR          checks that the documents satisfy the unique indexes
npm run embedded-mongo -- dump DIR [TO]       writes what mongorestore reads, into TO or ./dump
npm run embedded-mongo -- restore DIR [FROM]  takes in what mongodump or dump wrote, from FROM or ./dump`;

const [name = '', directory, other = 'dump'] = process.argv.slice(2);
const command = new Map(Object.entries({ verify, dump, restore })).get(name);
if (command && directory) for (const line of await command(directory, other)) console.log(line);
else {
  console.error(USAGE);
  process.exitCode = 2;
}
