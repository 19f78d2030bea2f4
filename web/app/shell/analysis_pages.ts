// Everything about analyses, which is loaded when it is needed.
import "../style/analyses.css";

export { AnalysesPage } from "../analyses/analyses_page";
export { AnalysisPage } from "../analyses/analysis_page";
export { NewAnalysisPage } from "../analyses/new_analysis_page";
