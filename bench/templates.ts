/**
 * `npm run bench -- templates`: a Url template with three fields and one condition, parsed once, beside Handlebars, Eta,
 * LiquidJS and a plain template literal function; then parsing plus the first rendering. Every case makes its output
 * one flat string, as sending it would: until then the engine keeps concatenations as a tree and has done no work.
 */
import { Eta } from 'eta';
import Handlebars from 'handlebars';
import { Liquid } from 'liquidjs';
import { machineDot, parseTemplate } from '../src-main/templates/index.ts';
import type { Bench, Case } from './frame.ts';

interface Data {
  readonly Endpoint: string;
  readonly Uuid: string;
  readonly Name: string;
  readonly Tenant: string;
}

const machines: readonly Data[] = Array.from({ length: 64 }, (_, i) => ({
  Endpoint: 'https://cmdb.example.com/api/v2',
  Uuid: `3e7031fe-5b02-4f80-94d4-1b9ed1f6a${String(100 + i)}`,
  Name: `web${i}.rack2.example.com`,
  Tenant: i % 3 === 0 ? '' : 'blue',
}));

const GO = '{{.Endpoint}}/machines/{{.Uuid}}?name={{.Name}}{{if .Tenant}}&scope=tenant{{end}}';
const HANDLEBARS = '{{{Endpoint}}}/machines/{{{Uuid}}}?name={{{Name}}}{{#if Tenant}}&scope=tenant{{/if}}';
const ETA = '<%= it.Endpoint %>/machines/<%= it.Uuid %>?name=<%= it.Name %><% if (it.Tenant) { %>&scope=tenant<% } %>';
const LIQUID = '{{Endpoint}}/machines/{{Uuid}}?name={{Name}}{% if Tenant != "" %}&scope=tenant{% endif %}';

const literal = (it: Data): string =>
  `${it.Endpoint}/machines/${it.Uuid}?name=${it.Name}${it.Tenant ? '&scope=tenant' : ''}`;

type Render = (data: Data) => string;

function renderers(): readonly (readonly [string, Render])[] {
  const go = parseTemplate(GO);
  const handlebars = Handlebars.compile<Data>(HANDLEBARS);
  const eta = new Eta({ autoEscape: false });
  const etaTemplate = eta.compile(ETA);
  const liquid = new Liquid();
  const liquidTemplate = liquid.parse(LIQUID);
  return [
    ['literal', literal],
    ['go', (data) => go.render(data)],
    ['handlebars', (data) => handlebars(data)],
    ['eta', (data) => eta.render(etaTemplate, data)],
    ['liquid', (data) => String(liquid.renderSync(liquidTemplate, data))],
  ];
}

function rendering(name: string, render: Render): Case {
  let sink = 0;
  return {
    name,
    run: (operations) => {
      for (let i = 0; i < operations; i++) {
        const text = render(machines[i % machines.length] as Data);
        sink += text.charCodeAt(text.length - 1);
      }
      if (sink < 0) throw new Error('unreachable: keeps the outputs in use');
    },
  };
}

/** Parses a text that was never seen before, and renders it once. */
function firstRendering(name: string, parse: (suffix: string) => Render): Case {
  let serial = 0;
  return rendering(name, (data) => parse(`#${serial++}`)(data));
}

function firstRenderings(): readonly Case[] {
  return [
    firstRendering('go first', (suffix) => {
      const template = parseTemplate(GO + suffix);
      return (data) => template.render(data);
    }),
    firstRendering('handlebars first', (suffix) => Handlebars.compile<Data>(HANDLEBARS + suffix)),
  ];
}

/** The same Url over a machine's dot, where every field is a function or a typed field. */
function machineCase(): Case {
  const template = parseTemplate(
    '{{.ApiURL}}/machines/{{.Machine.Uuid}}?name={{.Name}}{{if .HasProfile "web"}}&p={{.Param "p"}}{{end}}',
  );
  const dots = machines.map((machine) =>
    machineDot({
      machine: { ...machine, Profiles: ['web'], Params: { p: 'x' } },
      info: { address: '192.168.124.10', api_port: 8092, file_port: 8091 },
    }),
  );
  let at = 0;
  return rendering('machine', () => template.render(dots[at++ % dots.length]));
}

export const bench: Bench = {
  name: 'templates',
  run: async (b) => {
    const all = renderers();
    for (const [name, render] of all) {
      const wrong = machines.find((data) => render(data) !== literal(data));
      if (wrong !== undefined) throw new Error(`${name} renders ${render(wrong)} for ${JSON.stringify(wrong)}`);
    }
    const cases = [...all.map(([name, render]) => rendering(name, render)), machineCase(), ...firstRenderings()];
    const measured = await b.measure(cases);
    const rate = (name: string) => {
      const found = measured.get(name);
      if (found === undefined) throw new Error(`case ${name} was not measured`);
      return found;
    };
    b.ratio('templates.vs-literal', rate('go'), rate('literal'), 0.4);
    b.ratio('templates.vs-handlebars', rate('go'), rate('handlebars'), 4);
    b.ratio('templates.vs-eta', rate('go'), rate('eta'), null);
    b.ratio('templates.vs-liquid', rate('go'), rate('liquid'), 20);
    b.ratio('templates.first-vs-handlebars', rate('go first'), rate('handlebars first'), 5);
    b.note(`a machine's own dot: ${Math.round(rate('machine').perSecond).toLocaleString('en')} renderings/s`);
  },
};
