import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { sign_out, signed_in, watch_access } from "../api/access";
import { later } from "../parts/later";
import { Link, Message } from "../parts/parts";
import { use_route } from "../parts/route";
import { ListPage } from "../searches/list/list_page";
import { KeyHelp } from "./key_help";
import { OpenServer } from "./open_server";
import { SignInPage } from "./sign_in_page";

const SearchPage = later(() =>
  import("../searches/page/search_page").then((page) => page.SearchPage),
);
const ComparePage = later(() => import("../compare/compare_page").then((page) => page.ComparePage));
const fmu_pages = () => import("./fmu_pages");
const FmuPage = later(() => fmu_pages().then((pages) => pages.FmuPage));
const FmusPage = later(() => fmu_pages().then((pages) => pages.FmusPage));
const TrialPage = later(() => import("../trials/trial_page").then((page) => page.TrialPage));
const OwnPage = later(() => fmu_pages().then((pages) => pages.OwnPage));
const NewSearchPage = later(() =>
  import("../forms/new_search_page").then((page) => page.NewSearchPage),
);
const analysis_pages = () => import("./analysis_pages");
const AnalysesPage = later(() => analysis_pages().then((pages) => pages.AnalysesPage));
const AnalysisPage = later(() => analysis_pages().then((pages) => pages.AnalysisPage));
const NewAnalysisPage = later(() => analysis_pages().then((pages) => pages.NewAnalysisPage));

function App() {
  const route = use_route();
  const [locked, set_locked] = useState(false);
  const [still_in, set_still_in] = useState<string | null>(null);
  useEffect(() => watch_access(set_locked), []);
  const search = route.get("search");
  const fmu = route.get("fmu");
  const is_new = route.has("new") || route.has("own");
  const is_fmus = fmu !== null || route.has("fmus");
  const compared = route.get("compare");
  const analysis = route.get("analysis");
  const is_analyses = analysis !== null || route.has("analyses") || route.has("analyse");
  const is_list = search === null && compared === null && !is_new && !is_fmus && !is_analyses;
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="top">
        <Link to="/" class="brand">
          <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">
            <rect width="32" height="32" rx="7" />
            <path d="M6 24h6v-6h6v-6h8" />
            <circle cx="26" cy="12" r="2.6" />
          </svg>
          macrostep
        </Link>
        <nav aria-label="Main">
          <Link to="/" current={is_list}>
            Searches
          </Link>
          <Link to="/?new=" current={is_new}>
            New search
          </Link>
          <Link to="/?analyses=" current={is_analyses}>
            Analyses
          </Link>
          <Link to="/?fmus=" current={is_fmus}>
            FMUs
          </Link>
          {!locked && signed_in() && (
            <button
              type="button"
              class="small"
              onClick={async () => set_still_in(await sign_out())}
            >
              Sign out
            </button>
          )}
        </nav>
        <KeyHelp />
      </header>
      <main id="main" tabIndex={-1}>
        <OpenServer />
        {still_in !== null && !locked && (
          <Message kind="error">You are still signed in. {still_in}</Message>
        )}
        {locked ? (
          <SignInPage />
        ) : search !== null && (route.has("trial") || route.has("curve")) ? (
          <TrialPage search={search} route={route} />
        ) : search !== null ? (
          <SearchPage key={search} id={search} route={route} />
        ) : compared !== null ? (
          <ComparePage key={compared} route={route} />
        ) : fmu !== null ? (
          <FmuPage key={fmu} sha256={fmu} />
        ) : is_fmus ? (
          <FmusPage after={route.get("after")} />
        ) : route.has("own") ? (
          <OwnPage first={route.get("own") ?? ""} from={route.get("from")} />
        ) : is_new ? (
          <NewSearchPage problem={route.get("new") ?? ""} from={route.get("from")} />
        ) : analysis !== null ? (
          <AnalysisPage key={analysis} id={analysis} route={route} />
        ) : route.has("analyse") ? (
          <NewAnalysisPage route={route} />
        ) : is_analyses ? (
          <AnalysesPage after={route.get("after")} />
        ) : (
          <ListPage route={route} />
        )}
      </main>
    </>
  );
}

const root = document.getElementById("app");
if (root) render(<App />, root);
