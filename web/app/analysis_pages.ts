// Everything about analyses, which is loaded when it is needed.
import "./style/analyses.css";

export { AnalysesPage } from "./analyses_page";
export { AnalysisPage } from "./analysis_page";
export { NewAnalysisPage } from "./new_analysis_page";
