// node journey.mjs --binary FILE --browser FILE --artifacts DIRECTORY --scratch DIRECTORY
//
// One user's way through the page, chapter by chapter. Later chapters need the search of the earlier ones.
import { join } from "node:path";
import { parseArgs } from "node:util";
import * as analyses from "./chapters/analysis.mjs";
import * as answer from "./chapters/answer.mjs";
import { Browser } from "./browser.mjs";
import { Chapters } from "./chapters.mjs";
import * as compare from "./chapters/compare.mjs";
import * as figures from "./chapters/figure.mjs";
import * as fmus from "./chapters/fmu.mjs";
import * as forms from "./chapters/form.mjs";
import * as hostile from "./chapters/hostile.mjs";
import { demo_by_keys } from "./chapters/keyboard.mjs";
import * as list from "./chapters/list.mjs";
import * as look from "./chapters/look.mjs";
import { same_everywhere } from "./chapters/numbers.mjs";
import { own_problem } from "./chapters/own.mjs";
import * as runs from "./chapters/run.mjs";
import { has_sqlite, Server } from "./server.mjs";
import * as trials from "./chapters/trial.mjs";

const text = { type: "string" };
const { values } = parseArgs({
  options: { binary: text, browser: text, artifacts: text, scratch: text },
});

const server = new Server(values.binary, values.scratch, join(values.artifacts, "server.log"));
let browser = null;
let status = 1;
try {
  await server.start();
  browser = await Browser.launch(values.browser, values.artifacts, server.url);
  const story = { id: null, search: null, fmus: fmus.test_fmus(values.binary) };
  const { scratch, binary } = values;
  const context = { browser, server, story, scratch, binary };
  const chapters = new Chapters(browser);
  const chapter = (name, action) => chapters.run(name, () => action(context));

  await chapter("an empty list leads to the form", answer.empty_list);
  await chapter("a wrong value is explained at its field, nothing is lost", answer.wrong_value);
  await chapter("a submitted search is watched live", answer.live_search);
  await chapter("the recommendation is a sentence with the H of REST", answer.recommendation);
  const sql = "the SQL view holds the same recommendation";
  if (has_sqlite()) await chapter(sql, answer.same_in_sql);
  else chapters.skip(`page journey, ${sql}`, "no sqlite3 here");
  const same = "page, REST, CSV and SQL hold the same numbers";
  await chapter(same, same_everywhere);
  await chapter("the tables hold the stored numbers", answer.tables);
  await chapter("every test input has a plot with its bends", answer.plots);
  await chapter("legend and plots work by keyboard", answer.keyboard);
  await chapter("a reload keeps the view", answer.reload);
  await chapter("the heat map holds the H of REST, and marks what is verified", figures.heat_map);
  await chapter("what comes after the answer is named with its limit", figures.runners_up);
  await chapter("an answer that H did not decide says so", figures.decided_by_time);
  await chapter("accuracy against cost leads to trials", figures.cost);
  await chapter("a trial opens from a point, by keyboard, and from the data", figures.open_trial);
  await chapter("a trial is drawn over time, zoomed by keys, with the E of REST", trials.course);
  await chapter("dragging pans a trial, Ctrl and the wheel zoom it", trials.pointer);
  await chapter("a trial that is run again gives the same", trials.rerun);
  await chapter("the command line of a trial gives the same", trials.command_line);
  await chapter("a failed trial says why", trials.failed);
  await chapter("a trial that is not there is said to be missing", trials.no_such_trial);
  await chapter("the list shows the recommended configuration", answer.list);
  await chapter("a search is begun, read and looked into by keys alone", demo_by_keys);
  await chapter("an own problem with an exact limit: light, dark, 320 px", own_problem);
  await chapter("the form and its JSON say the same, both ways", forms.both_ways);
  await chapter("mistakes are told while the job is typed", forms.mistakes_while_typing);
  await chapter("a search is duplicated and edited", forms.duplicate);
  await chapter("a problem is made of matrices", forms.matrices);
  await chapter("an empty list of analyses leads to the form", analyses.empty);
  await chapter("a map of stability shows what REST tells", analyses.stability);
  await chapter("a map of accuracy shows the order of convergence", analyses.accuracy);
  await chapter("a tuning shows its settings and their landscape", analyses.tuning);
  await chapter("analyses are cancelled and deleted in their list", analyses.list);
  if (story.fmus) {
    await chapter("FMUs are uploaded, and refused with the reason", fmus.upload);
    await chapter("FMUs become subsystems and are connected by their units", fmus.compose);
    await chapter("a mistake is explained at its field, the address keeps the form", fmus.mistakes);
    await chapter("a search of FMUs says how it uses them", fmus.search);
    await chapter("the search of FMUs is changed, compared and exported", fmus.analyst);
    await chapter("FMU, form and search: light, dark, 320 px, axe-core", look.fmu_pages);
    await chapter("an FMU is deleted after a second click", fmus.remove);
  } else {
    chapters.skip("page journey, FMUs", "the test FMUs are not built");
  }
  await chapter("searches are cancelled from the list and from their page", runs.cancel);
  await chapter("a cancelled search is resumed from the list", list.resumed);
  await chapter("52 hostile names and notes are shown as text, by pages", hostile.many);
  await chapter("each of them is text on its own page, too", hostile.searches);
  await chapter("52 hostile names of analyses are text on their pages", hostile.analyses);
  await chapter("hostile names are text where searches are compared", hostile.compared);
  await chapter("searches that are deleted are gone", hostile.forget);
  await chapter("the list is filtered and ordered, by its address", list.filters);
  await chapter("notes and tags are written in the list", list.notes);
  await chapter("a copied job runs elsewhere and gives the same H", list.copies);
  await chapter("the list works by keys, and the sheet tells them", list.keys);
  await chapter("a search is deleted after a second click", list.remove);
  await chapter("two tabs live on one event stream, also after a restart", compare.two_tabs);
  await chapter("searches are compared, with differences only", compare.compare);
  await chapter("figures and differences are saved as files", compare.files);
  await chapter("comparison and details: light, dark, 320 px, axe-core", look.list_details);
  await chapter("the page survives a killed server, and no trial is lost", runs.killed);
  await chapter("list: light, dark, 320 px, axe-core", look.list_page);
  await chapter("form: light, dark, 320 px, axe-core", look.form_page);
  await chapter("search: light, dark, 320 px, axe-core", look.search_page);
  await chapter("trial: light, dark, 320 px, axe-core", look.trial_page);
  await chapter("printed, in forced colours, at 200 %", look.other_media);
  await chapter("the server ends in order", runs.ended);
  status = chapters.finish();
} catch (error) {
  // Chapters report their own failures: this is a server or a browser that did not start.
  console.log(`FAILED ${error.message}\n0 passed, 1 failed, 0 skipped`);
} finally {
  await browser?.close();
  await server.end("SIGKILL");
}
process.exit(status);
