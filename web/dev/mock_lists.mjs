// What the mock server answers about several searches: filters, and what tells searches apart.

/** Searches that meet every parameter, in the order that is asked for. */
export function listed(searches, query) {
  const wanted = (name) => (query.get(name) ?? "").split(",").filter((one) => one !== "");
  const states = wanted("status");
  const name = (query.get("name") ?? "").toLowerCase();
  const found = searches.filter(
    (one) =>
      (states.length === 0 || states.includes(one.status)) &&
      (!query.has("problem") || one.problem === query.get("problem")) &&
      wanted("tag").every((tag) => one.tags.includes(tag)) &&
      one.name.toLowerCase().includes(name) &&
      one.created_at > (query.get("created_after") ?? "") &&
      one.created_at < (query.get("created_before") ?? "9"),
  );
  const sort = query.get("sort") ?? "-created_at";
  const member = sort.replace("-", "");
  const sign = sort.startsWith("-") ? -1 : 1;
  return found.sort((a, b) => sign * String(a[member]).localeCompare(String(b[member])));
}

/** Members with other values, by JSON pointer. */
function members(values, pointer = "") {
  if (new Set(values.map((one) => JSON.stringify(one))).size === 1) return [];
  const is_object = (one) => typeof one === "object" && one !== null && !Array.isArray(one);
  if (!values.every(is_object)) return [{ pointer, values: values.map((one) => one ?? null) }];
  const names = [...new Set(values.flatMap((one) => Object.keys(one)))].sort();
  return names.flatMap((name) =>
    members(
      values.map((one) => one[name]),
      `${pointer}/${name}`,
    ),
  );
}

export function comparison(searches) {
  const of = (name) => members(searches.map((one) => one[name] ?? {}));
  const job = of("job");
  const recommendation = of("recommendation");
  return {
    searches: searches.map(({ id, name, problem, status, complete }) => ({
      id,
      name,
      problem,
      status,
      complete,
    })),
    identical: job.length + recommendation.length === 0,
    ...{ job, job_more: 0, recommendation, recommendation_more: 0 },
    ...{ curves: [], curves_more: 0, curves_of_some: [], curves_of_some_more: 0, cost: [] },
    wall_s: searches.map((one) => one.cost?.wall_s ?? null),
  };
}
