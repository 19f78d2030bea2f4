-- All of version_5.sql as the store of schema version 6 brought it up to date, and two searches that it wrote: ended, with
-- a tag, times of macro-steps and a trace, and waiting.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE searches (
  id TEXT NOT NULL PRIMARY KEY CHECK (id <> ''),
  name TEXT NOT NULL,
  problem TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN
    ('queued', 'running', 'succeeded', 'failed', 'cancelled', 'interrupted')),
  complete INTEGER NOT NULL DEFAULT 0 CHECK (complete IN (0, 1)),
  created_at TEXT NOT NULL CHECK (created_at GLOB '20??-??-??T??:??:??.???Z'),
  started_at TEXT CHECK (started_at GLOB '20??-??-??T??:??:??.???Z'),
  finished_at TEXT CHECK (finished_at GLOB '20??-??-??T??:??:??.???Z'),
  reason TEXT,
  linear_region_rule TEXT NOT NULL,
  curves_done INTEGER NOT NULL DEFAULT 0,
  curves_total INTEGER NOT NULL DEFAULT 0,
  trials_done INTEGER NOT NULL DEFAULT 0,
  cost_trials INTEGER,
  cost_rhs_evaluations INTEGER,
  cost_wall_s REAL
, note TEXT NOT NULL DEFAULT '', priority INTEGER NOT NULL DEFAULT 0
  CHECK (priority BETWEEN -100 AND 100), queued_at TEXT CHECK (queued_at GLOB '20??-??-??T??:??:??.???Z'), name_key TEXT NOT NULL DEFAULT '', end_key TEXT NOT NULL DEFAULT '~', tagged INTEGER NOT NULL DEFAULT 0 CHECK (tagged IN (0, 1))) STRICT;
INSERT INTO searches VALUES('964e940c6479c70b','old','linear_oscillator','succeeded',1,'2026-11-22T14:46:48.867Z','2026-11-22T14:46:48.869Z','2026-11-22T14:46:48.878Z',NULL,'baseline_power_law',2,2,28,28,19196,0.0055815480000000004118,'before the new valve',0,'2026-11-22T14:46:48.867Z','old','2026-11-22T14:46:48.878Z',1);
INSERT INTO searches VALUES('0bfe976e373fc71f','untagged','linear_oscillator','succeeded',1,'2026-11-22T14:46:49.889Z','2026-11-22T14:46:49.895Z','2026-11-22T14:46:49.902Z',NULL,'baseline_power_law',1,1,15,15,9904,0.0013926290000000000456,'before the new valve',0,'2026-11-22T14:46:49.889Z','untagged','2026-11-22T14:46:49.902Z',0);
INSERT INTO searches VALUES('17306d77d7046c20','stopped','double_actuator_crane','interrupted',0,'2026-11-22T14:46:52.040Z','2026-11-22T14:46:52.042Z',NULL,NULL,'local_power_law',0,1,0,NULL,NULL,NULL,'',0,'2026-11-22T14:46:52.040Z','stopped','~',0);
INSERT INTO searches VALUES('eeb622b2ca7f0fb1','waits','linear_oscillator','queued',0,'2026-11-22T14:46:52.372Z',NULL,NULL,NULL,'baseline_power_law',0,1,0,NULL,NULL,NULL,'before the new valve',7,'2026-11-22T14:46:52.372Z','waits','~',0);
INSERT INTO searches VALUES('filled','search filled','double_actuator_crane','succeeded',1,'2025-01-31T12:00:10.000Z','2025-01-31T12:00:01.000Z','2025-01-31T12:00:30.000Z',NULL,'local_power_law',4,4,12,12,240000,0.5,'before the new valve',0,'2025-01-31T12:00:10.000Z','search filled','2025-01-31T12:00:30.000Z',1);
INSERT INTO searches VALUES('waits','search waits','double_actuator_crane','queued',0,'2025-01-31T12:00:12.000Z',NULL,NULL,NULL,'local_power_law',0,4,0,NULL,NULL,NULL,'before the new valve',0,'2025-01-31T12:00:12.000Z','search waits','~',1);
CREATE TABLE documents (
  search_id TEXT NOT NULL PRIMARY KEY REFERENCES searches ON DELETE CASCADE,
  provenance TEXT CHECK (provenance IS NULL OR json_valid(provenance)),
  result_table TEXT CHECK (result_table IS NULL OR json_valid(result_table)),
  job TEXT NOT NULL CHECK (json_valid(job)),
  plan TEXT NOT NULL CHECK (json_valid(plan))
) STRICT;
INSERT INTO documents VALUES('964e940c6479c70b','{"version":"0.1.0","build_id":"026bfff392edf09cbd9aa1bd125eaf6b8ebfa1e0","math_class":"0588345370f7f3f2"}','[{"test":"free","configurations":[{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none"}],"macro_step_s":0.00625,"cliff_s":0.0238418579102,"flags":["cut_at_stability_limit"]}]','{"name":"old","note":"before the new valve","problem":"linear_oscillator","search":{"couplings":["force_displacement"],"extrapolation":["0","1"],"macro_step":{"increment_s":0.02,"initial_s":0.02,"maximum_s":0.2}},"tags":["rig 2","kept"],"tests":[{"duration_s":4,"kind":"none","name":"free"}]}','{"kind":"search","name":"old","problem":"linear_oscillator","parameters":{},"micro_steps":{},"substeps":{},"within_substep":"held","search":{"couplings":["force_displacement"],"schemes":["jacobi"],"orders":[],"iteration":{"tolerance":1e-08,"maximum":50,"repeats":null},"extrapolation":["0","1"],"integrators":{"coupling":["exact"],"m1":["symplectic_euler"],"m2":["symplectic_euler"]},"corrections":["none"],"correction_parameters":{"mu":null,"nu":0.0,"limit":1.0,"limit_N":null,"quadrature":"rectangle","flow":"last","alpha":1.0,"feedthrough":"ignored","jacobians":"exact","refresh_macro_steps":1,"forgetting":0.99,"theta":0.5,"derivative":"exact"},"macro_step":{"initial_s":0.02,"increment_s":0.02,"maximum_s":0.2},"allowed_macro_steps_s":null,"linear_region":{"rule":"baseline_power_law","tolerance":0.35,"points":8,"scan":"geometric","ratio":1.25},"relative_residual_max":null,"minimum_macro_steps":20,"real_time":null,"indicator":"residual_energy"},"tests":[{"name":"free","kind":"none","duration_s":4.0}]}');
INSERT INTO documents VALUES('0bfe976e373fc71f','{"version":"0.1.0","build_id":"026bfff392edf09cbd9aa1bd125eaf6b8ebfa1e0","math_class":"0588345370f7f3f2"}','[{"test":"free","configurations":[{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none"}],"macro_step_s":0.00625,"cliff_s":0.0238418579102,"flags":["cut_at_stability_limit"]}]','{"name":"untagged","note":"before the new valve","problem":"linear_oscillator","search":{"couplings":["force_displacement"],"extrapolation":["1"],"macro_step":{"increment_s":0.02,"initial_s":0.02,"maximum_s":0.2}},"tests":[{"duration_s":4,"kind":"none","name":"free"}]}','{"kind":"search","name":"untagged","problem":"linear_oscillator","parameters":{},"micro_steps":{},"substeps":{},"within_substep":"held","search":{"couplings":["force_displacement"],"schemes":["jacobi"],"orders":[],"iteration":{"tolerance":1e-08,"maximum":50,"repeats":null},"extrapolation":["1"],"integrators":{"coupling":["exact"],"m1":["symplectic_euler"],"m2":["symplectic_euler"]},"corrections":["none"],"correction_parameters":{"mu":null,"nu":0.0,"limit":1.0,"limit_N":null,"quadrature":"rectangle","flow":"last","alpha":1.0,"feedthrough":"ignored","jacobians":"exact","refresh_macro_steps":1,"forgetting":0.99,"theta":0.5,"derivative":"exact"},"macro_step":{"initial_s":0.02,"increment_s":0.02,"maximum_s":0.2},"allowed_macro_steps_s":null,"linear_region":{"rule":"baseline_power_law","tolerance":0.35,"points":8,"scan":"geometric","ratio":1.25},"relative_residual_max":null,"minimum_macro_steps":20,"real_time":null,"indicator":"residual_energy"},"tests":[{"name":"free","kind":"none","duration_s":4.0}]}');
INSERT INTO documents VALUES('17306d77d7046c20','{"version":"0.1.0","build_id":"026bfff392edf09cbd9aa1bd125eaf6b8ebfa1e0","math_class":"0588345370f7f3f2"}',NULL,'{"name":"stopped","problem":"double_actuator_crane","search":{"extrapolation":["2"],"integrators":{"hydraulics":["forward_euler"],"mechanics":["i1al"]}},"tests":[{"duration_s":3000,"kind":"step","name":"long"}]}','{"kind":"search","name":"stopped","problem":"double_actuator_crane","parameters":{},"micro_steps":{"hydraulics":0.0001},"substeps":{},"within_substep":"held","search":{"couplings":["force_displacement"],"schemes":["jacobi"],"orders":[],"iteration":{"tolerance":1e-08,"maximum":50,"repeats":null},"extrapolation":["2"],"integrators":{"hydraulics":["forward_euler"],"mechanics":["i1al"]},"corrections":["none"],"correction_parameters":{"mu":null,"nu":0.0,"limit":1.0,"limit_N":null,"quadrature":"rectangle","flow":"last","alpha":1.0,"feedthrough":"ignored","jacobians":"exact","refresh_macro_steps":1,"forgetting":0.99,"theta":0.5,"derivative":"exact"},"macro_step":{"initial_s":0.0002,"increment_s":0.0002,"maximum_s":0.02},"allowed_macro_steps_s":null,"linear_region":{"rule":"local_power_law","tolerance":0.35,"points":5,"scan":"arithmetic","ratio":1.25},"relative_residual_max":null,"minimum_macro_steps":20,"real_time":null,"indicator":"residual_energy"},"tests":[{"name":"long","kind":"step","duration_s":3000.0}]}');
INSERT INTO documents VALUES('eeb622b2ca7f0fb1','{"version":"0.1.0","build_id":"026bfff392edf09cbd9aa1bd125eaf6b8ebfa1e0","math_class":"0588345370f7f3f2"}',NULL,'{"name":"waits","note":"before the new valve","priority":7,"problem":"linear_oscillator","search":{"couplings":["force_displacement"],"extrapolation":["1"],"macro_step":{"increment_s":0.02,"initial_s":0.02,"maximum_s":0.2}},"tests":[{"duration_s":4,"kind":"none","name":"free"}]}','{"kind":"search","name":"waits","problem":"linear_oscillator","parameters":{},"micro_steps":{},"substeps":{},"within_substep":"held","search":{"couplings":["force_displacement"],"schemes":["jacobi"],"orders":[],"iteration":{"tolerance":1e-08,"maximum":50,"repeats":null},"extrapolation":["1"],"integrators":{"coupling":["exact"],"m1":["symplectic_euler"],"m2":["symplectic_euler"]},"corrections":["none"],"correction_parameters":{"mu":null,"nu":0.0,"limit":1.0,"limit_N":null,"quadrature":"rectangle","flow":"last","alpha":1.0,"feedthrough":"ignored","jacobians":"exact","refresh_macro_steps":1,"forgetting":0.99,"theta":0.5,"derivative":"exact"},"macro_step":{"initial_s":0.02,"increment_s":0.02,"maximum_s":0.2},"allowed_macro_steps_s":null,"linear_region":{"rule":"baseline_power_law","tolerance":0.35,"points":8,"scan":"geometric","ratio":1.25},"relative_residual_max":null,"minimum_macro_steps":20,"real_time":null,"indicator":"residual_energy"},"tests":[{"name":"free","kind":"none","duration_s":4.0}]}');
INSERT INTO documents VALUES('filled','{"version":"0.1.0"}','[{"test":"step","macro_step_s":0.0018}]','{"problem":"double_actuator_crane"}','{"tests":[]}');
INSERT INTO documents VALUES('waits','{"version":"0.1.0"}',NULL,'{"problem":"double_actuator_crane"}','{"tests":[]}');
CREATE TABLE configurations (
  search_id TEXT NOT NULL REFERENCES searches ON DELETE CASCADE,
  configuration_id INTEGER NOT NULL CHECK (configuration_id >= 0),
  coupling TEXT NOT NULL,
  scheme TEXT NOT NULL,
  extrapolation TEXT NOT NULL,
  integrators TEXT NOT NULL CHECK (json_valid(integrators)),
  substeps TEXT NOT NULL CHECK (json_valid(substeps)),
  correction TEXT NOT NULL,
  configuration TEXT NOT NULL CHECK (json_valid(configuration)), subsystem_order TEXT NOT NULL DEFAULT '[]'
  CHECK (json_valid(subsystem_order)),
  PRIMARY KEY (search_id, configuration_id)
) STRICT, WITHOUT ROWID;
INSERT INTO configurations VALUES('0bfe976e373fc71f',0,'force_displacement','jacobi','1','{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('17306d77d7046c20',0,'force_displacement','jacobi','2','{"hydraulics":"forward_euler","mechanics":"i1al"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"2","integrators":{"hydraulics":"forward_euler","mechanics":"i1al"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('964e940c6479c70b',0,'force_displacement','jacobi','0','{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"0","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('964e940c6479c70b',1,'force_displacement','jacobi','1','{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('filled',0,'force_displacement','jacobi','1','{"mechanics":"i1al","hydraulics":"forward_euler"}','{}','none','{"extrapolation":"1"}','[]');
INSERT INTO configurations VALUES('filled',1,'force_displacement','jacobi','2','{"mechanics":"i1al","hydraulics":"forward_euler"}','{}','none','{"extrapolation":"2"}','["hydraulics","mechanics"]');
CREATE TABLE curves (
  search_id TEXT NOT NULL,
  curve_id INTEGER NOT NULL CHECK (curve_id >= 0),
  configuration_id INTEGER NOT NULL,
  test TEXT NOT NULL,
  bend_s REAL,
  cliff_s REAL,
  slope REAL,
  fit_coefficient REAL,
  fit_exponent REAL,
  reason TEXT,
  flags TEXT NOT NULL CHECK (json_valid(flags)),
  weighted_rhs_evaluations REAL, counts INTEGER CHECK (counts IN (0, 1)), stability_limit_s REAL,
  PRIMARY KEY (search_id, curve_id),
  FOREIGN KEY (search_id, configuration_id) REFERENCES configurations ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO curves VALUES('0bfe976e373fc71f',0,0,'free',0.01220703125,0.023841857910199999726,2.3783867572655639222,1066368425.0370682477,2.3783867572655639222,'at H = 15.2 ms the residual of 7.86e+04 J is more than 1.35 times the 5.101e+04 J of the line','["cut_at_stability_limit"]',1280.0,1,0.0075412750244140628469);
INSERT INTO curves VALUES('17306d77d7046c20',0,0,'long',NULL,NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL);
INSERT INTO curves VALUES('964e940c6479c70b',0,0,'free',0.009765625,0.023841857910199999726,2.9499143450286990919,477224161586.20257569,2.9499143450286990919,'at H = 12.2 ms the residual of 1.558e+06 J is more than 1.35 times the 1.082e+06 J of the line','["unstable"]',NULL,0,NULL);
INSERT INTO curves VALUES('964e940c6479c70b',1,1,'free',0.01220703125,0.023841857910199999726,2.3783867572655639222,1066368425.0370682477,2.3783867572655639222,'at H = 15.2 ms the residual of 7.86e+04 J is more than 1.35 times the 5.101e+04 J of the line','["cut_at_stability_limit"]',1280.0,1,0.0075412750244140628469);
INSERT INTO curves VALUES('filled',0,0,'step',0.0017999999999999999507,0.0023999999999999997897,2.0,10000.0,2.0,NULL,'[]',1000000.0,1,NULL);
INSERT INTO curves VALUES('filled',1,0,'ramp',0.0017999999999999999507,0.0023999999999999997897,2.0,10000.0,2.0,NULL,'[]',1000000.0,1,NULL);
INSERT INTO curves VALUES('filled',2,1,'step',0.0017999999999999999507,0.0023999999999999997897,2.0,10000.0,2.0,NULL,'[]',1000000.0,1,NULL);
INSERT INTO curves VALUES('filled',3,1,'ramp',0.0017999999999999999507,0.0023999999999999997897,2.0,10000.0,2.0,NULL,'["too_few_macro_steps"]',1000000.0,0,NULL);
CREATE TABLE trials (
  search_id TEXT NOT NULL,
  trial_id INTEGER NOT NULL CHECK (trial_id >= 0),
  curve_id INTEGER NOT NULL,
  point INTEGER NOT NULL CHECK (point >= 0),
  macro_step_s REAL NOT NULL CHECK (macro_step_s > 0),
  status TEXT NOT NULL CHECK (status <> ''),
  reason TEXT,
  residual_J REAL,
  startup_residual_J REAL,
  relative_residual REAL,
  transmitted_J REAL,
  bond_residuals_J TEXT NOT NULL CHECK (json_valid(bond_residuals_J)),
  nrmse REAL,
  macro_steps INTEGER NOT NULL,
  rhs_evaluations INTEGER NOT NULL,
  cost REAL,
  wall_s REAL,
  inside_linear_region INTEGER CHECK (inside_linear_region IN (0, 1)),
  PRIMARY KEY (search_id, trial_id),
  FOREIGN KEY (search_id, curve_id) REFERENCES curves ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO trials VALUES('0bfe976e373fc71f',0,0,0,0.020000000000000000416,'complete',NULL,750526.4377550499048,2550.9487354880002385,0.59487129273832939357,1261661.8870616601779,'[750526.4377550499]',NULL,200,400,400.0,4.2828999999999999397e-05,0);
INSERT INTO trials VALUES('0bfe976e373fc71f',1,0,1,0.025000000000000001387,'complete',NULL,30415434.332469776272,5142.6541233062744141,1.0500441757311618218,28965861.661287769675,'[30415434.332469776]',NULL,160,320,320.0,1.2953999999999999978e-05,0);
INSERT INTO trials VALUES('0bfe976e373fc71f',2,0,2,0.03125,'diverged','an output grew beyond 10000 times its nominal value at 2.5 s',122975051.035143435,10422.079678315654746,1.4751447037306153475,83364737.523133605719,'[122975051.03514344]',NULL,80,160,160.0,9.0869999999999995646e-06,0);
INSERT INTO trials VALUES('0bfe976e373fc71f',3,0,3,0.010000000000000000208,'complete',NULL,17941.421718261230125,326.34927426199999444,0.097510795075777256801,183994.21012123482068,'[17941.42171826123]',NULL,400,800,800.0,2.5550000000000001013e-05,1);
INSERT INTO trials VALUES('0bfe976e373fc71f',4,0,4,0.012500000000000000693,'complete',NULL,34479.903376085225318,612.35453846165910363,0.15490834249496887586,222582.61124448518967,'[34479.903376085225]',NULL,320,640,640.0,2.0480000000000000428e-05,0);
INSERT INTO trials VALUES('0bfe976e373fc71f',5,0,5,0.015625,'complete',NULL,89419.616002117429161,1189.4881840353957613,0.26812561725934047629,333498.96558234363328,'[89419.61600211743]',NULL,256,512,512.0,1.7354000000000000203e-05,0);
INSERT INTO trials VALUES('0bfe976e373fc71f',6,0,6,0.01953125,'complete',NULL,568737.30338859825859,2368.698191165864955,0.55067873572180892072,1032793.2903439948568,'[568737.3033885983]',NULL,205,410,410.0,1.3934999999999999565e-05,0);
INSERT INTO trials VALUES('0bfe976e373fc71f',7,0,7,0.005000000000000000104,'complete',NULL,3756.8125183717515937,74.665898776428733184,0.024396187512113646361,153991.78730309189995,'[3756.8125183717516]',NULL,800,1600,1600.0,5.2988999999999996989e-05,1);
INSERT INTO trials VALUES('0bfe976e373fc71f',8,0,8,0.0062500000000000003469,'complete',NULL,6025.3468575481983864,116.46441819229437442,0.038139527237593652542,157981.68708313431125,'[6025.346857548198]',NULL,640,1280,1280.0,3.8439000000000002462e-05,1);
INSERT INTO trials VALUES('0bfe976e373fc71f',9,0,9,0.0078125,'complete',NULL,9880.8497221957259171,181.68568941053663934,0.059478147813394520448,166125.71314755285857,'[9880.849722195726]',NULL,512,1024,1024.0,3.1480999999999998947e-05,1);
INSERT INTO trials VALUES('0bfe976e373fc71f',10,0,10,0.009765625,'complete',NULL,16895.15398722203463,305.92011519527642349,0.093107894829843773631,181457.80245701194507,'[16895.153987222035]',NULL,410,820,820.0,2.5800000000000000315e-05,1);
INSERT INTO trials VALUES('0bfe976e373fc71f',11,0,11,0.01220703125,'complete',NULL,31869.623251483859347,571.72648755536624775,0.14740492823800580013,216204.59799027824192,'[31869.62325148386]',NULL,328,656,656.0,2.0713999999999998526e-05,1);
INSERT INTO trials VALUES('0bfe976e373fc71f',12,0,12,0.0152587890625,'complete',NULL,78603.514476968746747,1106.8942974248695918,0.25107890766668755633,313062.99365184648195,'[78603.51447696875]',NULL,263,526,526.0,1.7121999999999999714e-05,0);
INSERT INTO trials VALUES('0bfe976e373fc71f',13,0,13,0.019073486328099999165,'complete',NULL,438565.71398966608102,2199.7510710782253227,0.51060910129649506039,858906.96596691559535,'[438565.7139896661]',NULL,210,420,420.0,1.4202999999999999371e-05,0);
INSERT INTO trials VALUES('0bfe976e373fc71f',14,0,14,0.023841857910199999726,'complete',NULL,11396668.638590840622,4429.142073195589546,0.93799168228200879848,12150074.306484535336,'[11396668.63859084]',NULL,168,336,336.0,1.1869999999999999854e-05,0);
INSERT INTO trials VALUES('964e940c6479c70b',0,0,0,0.020000000000000000416,'complete',NULL,29942852.2918811813,1342.3999999999998635,1.5751056889038410613,19010059.136234361677,'[29942852.29188118]',NULL,200,400,400.0,3.7707999999999998789e-05,0);
INSERT INTO trials VALUES('964e940c6479c70b',1,0,1,0.025000000000000001387,'diverged','an output grew beyond 10000 times its nominal value at 3.65 s',79274174.602094247938,2222.65625,1.722482213476533186,46023218.110387913884,'[79274174.60209425]',NULL,146,292,292.0,1.4222999999999999179e-05,0);
INSERT INTO trials VALUES('964e940c6479c70b',2,0,2,0.010000000000000000208,'complete',NULL,654900.39070709771475,308.90000000000003409,0.82131025341324614963,797384.89564135693944,'[654900.3907070977]',NULL,400,800,800.0,2.4584000000000000437e-05,0);
INSERT INTO trials VALUES('964e940c6479c70b',3,0,3,0.012500000000000000693,'complete',NULL,1745738.9139426290058,490.478515625,1.075856251354071924,1622650.7135553129482,'[1745738.913942629]',NULL,320,640,640.0,1.9698999999999998927e-05,0);
INSERT INTO trials VALUES('964e940c6479c70b',4,0,4,0.015625,'complete',NULL,5799194.7099591987205,785.47000885009765625,1.3225395381165090391,4384893.2624109713362,'[5799194.709959199]',NULL,256,512,512.0,1.6096999999999998516e-05,0);
INSERT INTO trials VALUES('964e940c6479c70b',5,0,5,0.005000000000000000104,'complete',NULL,82551.598875614829011,75.556249999999991473,0.29691238772053024641,278033.52870987920323,'[82551.59887561483]',NULL,800,1600,1600.0,4.4990000000000001235e-05,1);
INSERT INTO trials VALUES('964e940c6479c70b',6,0,6,0.0062500000000000003469,'complete',NULL,141996.03439920290839,118.5455322265625,0.41349177116218099881,343407.15898674749769,'[141996.0343992029]',NULL,640,1280,1280.0,3.6455999999999997901e-05,1);
INSERT INTO trials VALUES('964e940c6479c70b',7,0,7,0.0078125,'complete',NULL,271682.85826289874968,186.42097711563110351,0.57806234521253441194,469988.85243599454407,'[271682.85826289875]',NULL,512,1024,1024.0,3.019900000000000004e-05,1);
INSERT INTO trials VALUES('964e940c6479c70b',8,0,8,0.009765625,'complete',NULL,596647.20026813680307,294.19679776765406131,0.7963018837191363497,749272.62193766236307,'[596647.2002681368]',NULL,410,820,820.0,2.4275000000000000516e-05,1);
INSERT INTO trials VALUES('964e940c6479c70b',9,0,9,0.01220703125,'complete',NULL,1557918.2552668014541,466.79680565375747391,1.0509861661300612389,1482339.4498172742314,'[1557918.2552668015]',NULL,328,656,656.0,2.0063000000000000863e-05,0);
INSERT INTO trials VALUES('964e940c6479c70b',10,0,10,0.0152587890625,'complete',NULL,5044410.1511355433613,746.73892763721380562,1.3057092574232911363,3863348.6914922147989,'[5044410.151135543]',NULL,263,526,526.0,1.6563000000000000492e-05,0);
INSERT INTO trials VALUES('964e940c6479c70b',11,0,11,0.019073486328099999165,'complete',NULL,21233333.283458154649,1209.1841613515862263,1.5461050934735838247,13733434.663069324567,'[21233333.283458155]',NULL,210,420,420.0,1.3754999999999999594e-05,0);
INSERT INTO trials VALUES('964e940c6479c70b',12,0,12,0.023841857910199999726,'diverged','an output grew beyond 10000 times its nominal value at 3.83854 s',84058870.795069709422,1992.8770756654985234,1.7046973870748769464,49310142.335178881885,'[84058870.79506971]',NULL,161,322,322.0,1.1420000000000000775e-05,0);
INSERT INTO trials VALUES('964e940c6479c70b',13,1,0,0.020000000000000000416,'complete',NULL,750526.4377550499048,2550.9487354880002385,0.59487129273832939357,1261661.8870616601779,'[750526.4377550499]',NULL,200,400,400.0,1.5349000000000001612e-05,0);
INSERT INTO trials VALUES('964e940c6479c70b',14,1,1,0.025000000000000001387,'complete',NULL,30415434.332469776272,5142.6541233062744141,1.0500441757311618218,28965861.661287769675,'[30415434.332469776]',NULL,160,320,320.0,1.1263000000000000414e-05,0);
INSERT INTO trials VALUES('964e940c6479c70b',15,1,2,0.03125,'diverged','an output grew beyond 10000 times its nominal value at 2.5 s',122975051.035143435,10422.079678315654746,1.4751447037306153475,83364737.523133605719,'[122975051.03514344]',NULL,80,160,160.0,7.2500000000000000425e-06,0);
INSERT INTO trials VALUES('964e940c6479c70b',16,1,3,0.010000000000000000208,'complete',NULL,17941.421718261230125,326.34927426199999444,0.097510795075777256801,183994.21012123482068,'[17941.42171826123]',NULL,400,800,800.0,2.4926000000000001566e-05,1);
INSERT INTO trials VALUES('964e940c6479c70b',17,1,4,0.012500000000000000693,'complete',NULL,34479.903376085225318,612.35453846165910363,0.15490834249496887586,222582.61124448518967,'[34479.903376085225]',NULL,320,640,640.0,2.0477999999999999432e-05,0);
INSERT INTO trials VALUES('964e940c6479c70b',18,1,5,0.015625,'complete',NULL,89419.616002117429161,1189.4881840353957613,0.26812561725934047629,333498.96558234363328,'[89419.61600211743]',NULL,256,512,512.0,1.6852000000000000605e-05,0);
INSERT INTO trials VALUES('964e940c6479c70b',19,1,6,0.01953125,'complete',NULL,568737.30338859825859,2368.698191165864955,0.55067873572180892072,1032793.2903439948568,'[568737.3033885983]',NULL,205,410,410.0,1.3920999999999999359e-05,0);
INSERT INTO trials VALUES('964e940c6479c70b',20,1,7,0.005000000000000000104,'complete',NULL,3756.8125183717515937,74.665898776428733184,0.024396187512113646361,153991.78730309189995,'[3756.8125183717516]',NULL,800,1600,1600.0,4.6721999999999997525e-05,1);
INSERT INTO trials VALUES('964e940c6479c70b',21,1,8,0.0062500000000000003469,'complete',NULL,6025.3468575481983864,116.46441819229437442,0.038139527237593652542,157981.68708313431125,'[6025.346857548198]',NULL,640,1280,1280.0,3.7734000000000001589e-05,1);
INSERT INTO trials VALUES('964e940c6479c70b',22,1,9,0.0078125,'complete',NULL,9880.8497221957259171,181.68568941053663934,0.059478147813394520448,166125.71314755285857,'[9880.849722195726]',NULL,512,1024,1024.0,3.0661999999999998826e-05,1);
INSERT INTO trials VALUES('964e940c6479c70b',23,1,10,0.009765625,'complete',NULL,16895.15398722203463,305.92011519527642349,0.093107894829843773631,181457.80245701194507,'[16895.153987222035]',NULL,410,820,820.0,2.5004999999999998607e-05,1);
INSERT INTO trials VALUES('964e940c6479c70b',24,1,11,0.01220703125,'complete',NULL,31869.623251483859347,571.72648755536624775,0.14740492823800580013,216204.59799027824192,'[31869.62325148386]',NULL,328,656,656.0,2.0621000000000001281e-05,1);
INSERT INTO trials VALUES('964e940c6479c70b',25,1,12,0.0152587890625,'complete',NULL,78603.514476968746747,1106.8942974248695918,0.25107890766668755633,313062.99365184648195,'[78603.51447696875]',NULL,263,526,526.0,1.7081000000000001292e-05,0);
INSERT INTO trials VALUES('964e940c6479c70b',26,1,13,0.019073486328099999165,'complete',NULL,438565.71398966608102,2199.7510710782253227,0.51060910129649506039,858906.96596691559535,'[438565.7139896661]',NULL,210,420,420.0,1.3960000000000000173e-05,0);
INSERT INTO trials VALUES('964e940c6479c70b',27,1,14,0.023841857910199999726,'complete',NULL,11396668.638590840622,4429.142073195589546,0.93799168228200879848,12150074.306484535336,'[11396668.63859084]',NULL,168,336,336.0,1.1609000000000000151e-05,0);
INSERT INTO trials VALUES('filled',0,0,0,0.00020000000000000000958,'complete',NULL,0.00040000000000000001916,9.9999999999999995472e-07,1.0000000000000000817e-05,200.0,'[0.001,0.002]',NULL,5000,20000,12000.0,0.0010000000000000000208,1);
INSERT INTO trials VALUES('filled',1,1,0,0.00020000000000000000958,'complete',NULL,0.00040000000000000001916,9.9999999999999995472e-07,1.0000000000000000817e-05,200.0,'[0.001,0.002]',NULL,5000,20000,12000.0,0.0010000000000000000208,1);
INSERT INTO trials VALUES('filled',2,2,0,0.00020000000000000000958,'complete',NULL,0.00040000000000000001916,9.9999999999999995472e-07,1.0000000000000000817e-05,200.0,'[0.001,0.002]',NULL,5000,20000,12000.0,0.0010000000000000000208,1);
INSERT INTO trials VALUES('filled',3,3,0,0.00020000000000000000958,'complete',NULL,0.00040000000000000001916,9.9999999999999995472e-07,1.0000000000000000817e-05,200.0,'[0.001,0.002]',NULL,5000,20000,12000.0,0.0010000000000000000208,1);
INSERT INTO trials VALUES('filled',4,0,1,0.00040000000000000001916,'complete',NULL,0.0016000000000000000766,9.9999999999999995472e-07,1.0000000000000000817e-05,400.0,'[0.001,0.002]',NULL,5000,20000,24000.0,0.0010000000000000000208,1);
INSERT INTO trials VALUES('filled',5,1,1,0.00040000000000000001916,'complete',NULL,0.0016000000000000000766,9.9999999999999995472e-07,1.0000000000000000817e-05,400.0,'[0.001,0.002]',NULL,5000,20000,24000.0,0.0010000000000000000208,1);
INSERT INTO trials VALUES('filled',6,2,1,0.00040000000000000001916,'complete',NULL,0.0016000000000000000766,9.9999999999999995472e-07,1.0000000000000000817e-05,400.0,'[0.001,0.002]',NULL,5000,20000,24000.0,0.0010000000000000000208,0);
INSERT INTO trials VALUES('filled',7,3,1,0.00040000000000000001916,'complete',NULL,0.0016000000000000000766,9.9999999999999995472e-07,1.0000000000000000817e-05,400.0,'[0.001,0.002]',NULL,5000,20000,24000.0,0.0010000000000000000208,0);
INSERT INTO trials VALUES('filled',8,0,2,0.00060000000000000005585,'complete',NULL,0.0036000000000000012025,9.9999999999999995472e-07,1.0000000000000000817e-05,600.00000000000011366,'[0.001,0.002]',NULL,5000,20000,36000.000000000007276,0.0010000000000000000208,0);
INSERT INTO trials VALUES('filled',9,1,2,0.00060000000000000005585,'complete',NULL,0.0036000000000000012025,9.9999999999999995472e-07,1.0000000000000000817e-05,600.00000000000011366,'[0.001,0.002]',NULL,5000,20000,36000.000000000007276,0.0010000000000000000208,0);
INSERT INTO trials VALUES('filled',10,2,2,0.00060000000000000005585,'complete',NULL,0.0036000000000000012025,9.9999999999999995472e-07,1.0000000000000000817e-05,600.00000000000011366,'[0.001,0.002]',NULL,5000,20000,36000.000000000007276,0.0010000000000000000208,0);
INSERT INTO trials VALUES('filled',11,3,2,0.00060000000000000005585,'complete',NULL,0.0036000000000000012025,9.9999999999999995472e-07,1.0000000000000000817e-05,600.00000000000011366,'[0.001,0.002]',NULL,5000,20000,36000.000000000007276,0.0010000000000000000208,0);
CREATE TABLE recommendations (
  search_id TEXT NOT NULL REFERENCES searches ON DELETE CASCADE,
  rule TEXT NOT NULL CHECK (rule <> ''),
  configuration_id INTEGER,
  macro_step_s REAL,
  bend_s REAL,
  cliff_s REAL,
  relative_residual REAL,
  confidence REAL,
  reason TEXT,
  recommendation TEXT CHECK (recommendation IS NULL OR json_valid(recommendation)),
  PRIMARY KEY (search_id, rule),
  FOREIGN KEY (search_id, configuration_id) REFERENCES configurations ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO recommendations VALUES('0bfe976e373fc71f','max_min',0,0.0062500000000000003469,0.01220703125,0.023841857910199999726,0.038139527237593652542,NULL,'of all configurations it keeps the largest macro-step inside the linear region in every test that counts; limited at 6.25 ms by: free','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none","macro_step_s":0.00625,"bend_s":0.01220703125,"cliff_s":0.0238418579102,"stability_limit_s":0.007541275024414063,"relative_residual":0.03813952723759365,"error":{"nrmse":0.21511860238132785,"max":0.6875044042720685,"test":"free","reference":"matrix exponential"},"correction_gain":null,"rule":"max_min","confidence":null,"warnings":["stable but not accurate: the outputs are off by 22 % of their standard deviation in test free (NRMSE); choose a smaller H for results; relative_residual_max sets a limit","larger macro-steps are unstable by the exact analysis of the linear problem, although their residual still lies on its line: free"],"reason":"of all configurations it keeps the largest macro-step inside the linear region in every test that counts; limited at 6.25 ms by: free","sentence":"Use first-order extrapolation with H = 6.25 ms, symplectic Euler for m1, symplectic Euler for m2 and exact integration for coupling: the largest macro-step that is stable in every test input that counts. That does not promise accuracy; at this H the relative residual is 3.8 % and the error of the outputs (NRMSE) 22 %.","ties":[]}');
INSERT INTO recommendations VALUES('0bfe976e373fc71f','paper',0,0.0062500000000000003469,0.01220703125,0.023841857910199999726,0.038139527237593652542,NULL,'the smallest row of the table, that of test free','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none","macro_step_s":0.00625,"bend_s":0.01220703125,"cliff_s":0.0238418579102,"stability_limit_s":0.007541275024414063,"relative_residual":0.03813952723759365,"error":null,"correction_gain":null,"rule":"paper","confidence":null,"warnings":["the residual is 3.8 % of the energy that the coupling transmits in test free: expect clear errors of the outputs; relative_residual_max sets a limit","larger macro-steps are unstable by the exact analysis of the linear problem, although their residual still lies on its line: free"],"reason":"the smallest row of the table, that of test free","sentence":"Use first-order extrapolation with H = 6.25 ms, symplectic Euler for m1, symplectic Euler for m2 and exact integration for coupling: the smallest row of the table, that of test free.","ties":[]}');
INSERT INTO recommendations VALUES('964e940c6479c70b','max_min',1,0.0062500000000000003469,0.01220703125,0.023841857910199999726,0.038139527237593652542,NULL,'of all configurations it keeps the largest macro-step inside the linear region in every test that counts; limited at 6.25 ms by: free','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none","macro_step_s":0.00625,"bend_s":0.01220703125,"cliff_s":0.0238418579102,"stability_limit_s":0.007541275024414063,"relative_residual":0.03813952723759365,"error":{"nrmse":0.21511860238132785,"max":0.6875044042720685,"test":"free","reference":"matrix exponential"},"correction_gain":null,"rule":"max_min","confidence":null,"warnings":["stable but not accurate: the outputs are off by 22 % of their standard deviation in test free (NRMSE); choose a smaller H for results; relative_residual_max sets a limit","larger macro-steps are unstable by the exact analysis of the linear problem, although their residual still lies on its line: free"],"reason":"of all configurations it keeps the largest macro-step inside the linear region in every test that counts; limited at 6.25 ms by: free","sentence":"Use first-order extrapolation with H = 6.25 ms, symplectic Euler for m1, symplectic Euler for m2 and exact integration for coupling: the largest macro-step that is stable in every test input that counts. That does not promise accuracy; at this H the relative residual is 3.8 % and the error of the outputs (NRMSE) 22 %.","ties":[]}');
INSERT INTO recommendations VALUES('964e940c6479c70b','paper',1,0.0062500000000000003469,0.01220703125,0.023841857910199999726,0.038139527237593652542,NULL,'the smallest row of the table, that of test free','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none","macro_step_s":0.00625,"bend_s":0.01220703125,"cliff_s":0.0238418579102,"stability_limit_s":0.007541275024414063,"relative_residual":0.03813952723759365,"error":null,"correction_gain":null,"rule":"paper","confidence":null,"warnings":["the residual is 3.8 % of the energy that the coupling transmits in test free: expect clear errors of the outputs; relative_residual_max sets a limit","larger macro-steps are unstable by the exact analysis of the linear problem, although their residual still lies on its line: free"],"reason":"the smallest row of the table, that of test free","sentence":"Use first-order extrapolation with H = 6.25 ms, symplectic Euler for m1, symplectic Euler for m2 and exact integration for coupling: the smallest row of the table, that of test free.","ties":[]}');
INSERT INTO recommendations VALUES('filled','max_min',1,0.0017999999999999999507,0.0017999999999999999507,0.0023999999999999997897,1.0000000000000000817e-05,NULL,'largest smallest bend','{"macro_step_s":0.0018,"warnings":["stable only"],"sentence":"Use it."}');
INSERT INTO recommendations VALUES('filled','paper',0,0.0016000000000000000766,NULL,NULL,NULL,NULL,'smallest row of the table','{"macro_step_s":0.0016}');
CREATE TABLE events (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  search_id TEXT NOT NULL REFERENCES searches ON DELETE CASCADE,
  name TEXT NOT NULL CHECK (name <> ''),
  data TEXT NOT NULL CHECK (json_valid(data))
) STRICT;
INSERT INTO events VALUES(1,'964e940c6479c70b','status','{"search":"964e940c6479c70b","status":"queued","progress":{"curves_done":0,"curves_total":2,"trials_done":0,"cost_done":null,"cost_expected":null,"eta_s":null}}');
INSERT INTO events VALUES(2,'964e940c6479c70b','status','{"search":"964e940c6479c70b","status":"running","progress":{"curves_done":0,"curves_total":2,"trials_done":0,"cost_done":null,"cost_expected":null,"eta_s":null}}');
INSERT INTO events VALUES(3,'964e940c6479c70b','points','{"search":"964e940c6479c70b","points":[{"curve_id":0,"macro_step_s":0.02,"residual_J":29942852.29188118,"relative_residual":1.575105688903841,"status":"complete"},{"curve_id":0,"macro_step_s":0.025,"residual_J":79274174.60209425,"relative_residual":1.7224822134765332,"status":"diverged"},{"curve_id":0,"macro_step_s":0.01,"residual_J":654900.3907070977,"relative_residual":0.8213102534132461,"status":"complete"},{"curve_id":0,"macro_step_s":0.0125,"residual_J":1745738.913942629,"relative_residual":1.075856251354072,"status":"complete"},{"curve_id":0,"macro_step_s":0.015625,"residual_J":5799194.709959199,"relative_residual":1.322539538116509,"status":"complete"},{"curve_id":0,"macro_step_s":0.005,"residual_J":82551.59887561483,"relative_residual":0.29691238772053025,"status":"complete"},{"curve_id":0,"macro_step_s":0.00625,"residual_J":141996.0343992029,"relative_residual":0.413491771162181,"status":"complete"},{"curve_id":0,"macro_step_s":0.0078125,"residual_J":271682.85826289875,"relative_residual":0.5780623452125344,"status":"complete"},{"curve_id":0,"macro_step_s":0.009765625,"residual_J":596647.2002681368,"relative_residual":0.7963018837191363,"status":"complete"},{"curve_id":0,"macro_step_s":0.01220703125,"residual_J":1557918.2552668015,"relative_residual":1.0509861661300612,"status":"complete"},{"curve_id":0,"macro_step_s":0.0152587890625,"residual_J":5044410.151135543,"relative_residual":1.3057092574232911,"status":"complete"},{"curve_id":0,"macro_step_s":0.0190734863281,"residual_J":21233333.283458155,"relative_residual":1.5461050934735838,"status":"complete"},{"curve_id":0,"macro_step_s":0.0238418579102,"residual_J":84058870.79506971,"relative_residual":1.704697387074877,"status":"diverged"},{"curve_id":1,"macro_step_s":0.02,"residual_J":750526.4377550499,"relative_residual":0.5948712927383294,"status":"complete"},{"curve_id":1,"macro_step_s":0.025,"residual_J":30415434.332469776,"relative_residual":1.0500441757311618,"status":"complete"},{"curve_id":1,"macro_step_s":0.03125,"residual_J":122975051.03514344,"relative_residual":1.4751447037306153,"status":"diverged"},{"curve_id":1,"macro_step_s":0.01,"residual_J":17941.42171826123,"relative_residual":0.09751079507577726,"status":"complete"},{"curve_id":1,"macro_step_s":0.0125,"residual_J":34479.903376085225,"relative_residual":0.15490834249496888,"status":"complete"},{"curve_id":1,"macro_step_s":0.015625,"residual_J":89419.61600211743,"relative_residual":0.2681256172593405,"status":"complete"},{"curve_id":1,"macro_step_s":0.01953125,"residual_J":568737.3033885983,"relative_residual":0.5506787357218089,"status":"complete"},{"curve_id":1,"macro_step_s":0.005,"residual_J":3756.8125183717516,"relative_residual":0.024396187512113646,"status":"complete"},{"curve_id":1,"macro_step_s":0.00625,"residual_J":6025.346857548198,"relative_residual":0.03813952723759365,"status":"complete"},{"curve_id":1,"macro_step_s":0.0078125,"residual_J":9880.849722195726,"relative_residual":0.05947814781339452,"status":"complete"},{"curve_id":1,"macro_step_s":0.009765625,"residual_J":16895.153987222035,"relative_residual":0.09310789482984377,"status":"complete"},{"curve_id":1,"macro_step_s":0.01220703125,"residual_J":31869.62325148386,"relative_residual":0.1474049282380058,"status":"complete"},{"curve_id":1,"macro_step_s":0.0152587890625,"residual_J":78603.51447696875,"relative_residual":0.25107890766668756,"status":"complete"},{"curve_id":1,"macro_step_s":0.0190734863281,"residual_J":438565.7139896661,"relative_residual":0.5106091012964951,"status":"complete"},{"curve_id":1,"macro_step_s":0.0238418579102,"residual_J":11396668.63859084,"relative_residual":0.9379916822820088,"status":"complete"}],"progress":{"curves_done":1,"curves_total":2,"trials_done":28,"cost_done":19196,"cost_expected":19992.766666666666,"eta_s":null}}');
INSERT INTO events VALUES(4,'964e940c6479c70b','finished','{"search":"964e940c6479c70b","status":"succeeded","recommendation":{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none","macro_step_s":0.00625,"bend_s":0.01220703125,"cliff_s":0.0238418579102,"stability_limit_s":0.007541275024414063,"relative_residual":0.03813952723759365,"error":{"nrmse":0.21511860238132785,"max":0.6875044042720685,"test":"free","reference":"matrix exponential"},"correction_gain":null,"rule":"max_min","confidence":null,"warnings":["stable but not accurate: the outputs are off by 22 % of their standard deviation in test free (NRMSE); choose a smaller H for results; relative_residual_max sets a limit","larger macro-steps are unstable by the exact analysis of the linear problem, although their residual still lies on its line: free"],"reason":"of all configurations it keeps the largest macro-step inside the linear region in every test that counts; limited at 6.25 ms by: free","sentence":"Use first-order extrapolation with H = 6.25 ms, symplectic Euler for m1, symplectic Euler for m2 and exact integration for coupling: the largest macro-step that is stable in every test input that counts. That does not promise accuracy; at this H the relative residual is 3.8 % and the error of the outputs (NRMSE) 22 %.","ties":[]},"reason":null,"sentence":"Use first-order extrapolation with H = 6.25 ms, symplectic Euler for m1, symplectic Euler for m2 and exact integration for coupling: the largest macro-step that is stable in every test input that counts. That does not promise accuracy; at this H the relative residual is 3.8 % and the error of the outputs (NRMSE) 22 %."}');
INSERT INTO events VALUES(5,'0bfe976e373fc71f','status','{"search":"0bfe976e373fc71f","status":"queued","progress":{"curves_done":0,"curves_total":1,"trials_done":0,"cost_done":null,"cost_expected":null,"eta_s":null}}');
INSERT INTO events VALUES(6,'0bfe976e373fc71f','status','{"search":"0bfe976e373fc71f","status":"running","progress":{"curves_done":0,"curves_total":1,"trials_done":0,"cost_done":null,"cost_expected":null,"eta_s":null}}');
INSERT INTO events VALUES(7,'0bfe976e373fc71f','points','{"search":"0bfe976e373fc71f","points":[{"curve_id":0,"macro_step_s":0.02,"residual_J":750526.4377550499,"relative_residual":0.5948712927383294,"status":"complete"},{"curve_id":0,"macro_step_s":0.025,"residual_J":30415434.332469776,"relative_residual":1.0500441757311618,"status":"complete"},{"curve_id":0,"macro_step_s":0.03125,"residual_J":122975051.03514344,"relative_residual":1.4751447037306153,"status":"diverged"},{"curve_id":0,"macro_step_s":0.01,"residual_J":17941.42171826123,"relative_residual":0.09751079507577726,"status":"complete"},{"curve_id":0,"macro_step_s":0.0125,"residual_J":34479.903376085225,"relative_residual":0.15490834249496888,"status":"complete"},{"curve_id":0,"macro_step_s":0.015625,"residual_J":89419.61600211743,"relative_residual":0.2681256172593405,"status":"complete"},{"curve_id":0,"macro_step_s":0.01953125,"residual_J":568737.3033885983,"relative_residual":0.5506787357218089,"status":"complete"},{"curve_id":0,"macro_step_s":0.005,"residual_J":3756.8125183717516,"relative_residual":0.024396187512113646,"status":"complete"},{"curve_id":0,"macro_step_s":0.00625,"residual_J":6025.346857548198,"relative_residual":0.03813952723759365,"status":"complete"},{"curve_id":0,"macro_step_s":0.0078125,"residual_J":9880.849722195726,"relative_residual":0.05947814781339452,"status":"complete"},{"curve_id":0,"macro_step_s":0.009765625,"residual_J":16895.153987222035,"relative_residual":0.09310789482984377,"status":"complete"},{"curve_id":0,"macro_step_s":0.01220703125,"residual_J":31869.62325148386,"relative_residual":0.1474049282380058,"status":"complete"},{"curve_id":0,"macro_step_s":0.0152587890625,"residual_J":78603.51447696875,"relative_residual":0.25107890766668756,"status":"complete"},{"curve_id":0,"macro_step_s":0.0190734863281,"residual_J":438565.7139896661,"relative_residual":0.5106091012964951,"status":"complete"},{"curve_id":0,"macro_step_s":0.0238418579102,"residual_J":11396668.63859084,"relative_residual":0.9379916822820088,"status":"complete"}],"progress":{"curves_done":0,"curves_total":1,"trials_done":15,"cost_done":9904,"cost_expected":10038.6,"eta_s":null}}');
INSERT INTO events VALUES(8,'0bfe976e373fc71f','finished','{"search":"0bfe976e373fc71f","status":"succeeded","recommendation":{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none","macro_step_s":0.00625,"bend_s":0.01220703125,"cliff_s":0.0238418579102,"stability_limit_s":0.007541275024414063,"relative_residual":0.03813952723759365,"error":{"nrmse":0.21511860238132785,"max":0.6875044042720685,"test":"free","reference":"matrix exponential"},"correction_gain":null,"rule":"max_min","confidence":null,"warnings":["stable but not accurate: the outputs are off by 22 % of their standard deviation in test free (NRMSE); choose a smaller H for results; relative_residual_max sets a limit","larger macro-steps are unstable by the exact analysis of the linear problem, although their residual still lies on its line: free"],"reason":"of all configurations it keeps the largest macro-step inside the linear region in every test that counts; limited at 6.25 ms by: free","sentence":"Use first-order extrapolation with H = 6.25 ms, symplectic Euler for m1, symplectic Euler for m2 and exact integration for coupling: the largest macro-step that is stable in every test input that counts. That does not promise accuracy; at this H the relative residual is 3.8 % and the error of the outputs (NRMSE) 22 %.","ties":[]},"reason":null,"sentence":"Use first-order extrapolation with H = 6.25 ms, symplectic Euler for m1, symplectic Euler for m2 and exact integration for coupling: the largest macro-step that is stable in every test input that counts. That does not promise accuracy; at this H the relative residual is 3.8 % and the error of the outputs (NRMSE) 22 %."}');
INSERT INTO events VALUES(9,'17306d77d7046c20','status','{"search":"17306d77d7046c20","status":"queued","progress":{"curves_done":0,"curves_total":1,"trials_done":0,"cost_done":null,"cost_expected":null,"eta_s":null}}');
INSERT INTO events VALUES(10,'17306d77d7046c20','status','{"search":"17306d77d7046c20","status":"running","progress":{"curves_done":0,"curves_total":1,"trials_done":0,"cost_done":null,"cost_expected":null,"eta_s":null}}');
INSERT INTO events VALUES(11,'eeb622b2ca7f0fb1','status','{"search":"eeb622b2ca7f0fb1","status":"queued","progress":{"curves_done":0,"curves_total":1,"trials_done":0,"cost_done":null,"cost_expected":null,"eta_s":null}}');
INSERT INTO events VALUES(12,'17306d77d7046c20','status','{"search":"17306d77d7046c20","status":"interrupted","progress":{"curves_done":0,"curves_total":1,"trials_done":0,"cost_done":null,"cost_expected":null,"eta_s":null}}');
INSERT INTO events VALUES(13,'filled','status','{}');
INSERT INTO events VALUES(14,'filled','status','{}');
INSERT INTO events VALUES(15,'filled','points','{}');
INSERT INTO events VALUES(16,'filled','finished','{}');
INSERT INTO events VALUES(17,'waits','status','{}');
CREATE TABLE idempotency_keys (
  idempotency_key TEXT NOT NULL PRIMARY KEY CHECK (idempotency_key <> ''),
  search_id TEXT NOT NULL UNIQUE REFERENCES searches ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO idempotency_keys VALUES('filled-key','filled');
INSERT INTO idempotency_keys VALUES('old-key','964e940c6479c70b');
CREATE TABLE analyses (
  id TEXT NOT NULL PRIMARY KEY CHECK (id <> ''),
  kind TEXT NOT NULL CHECK (kind <> ''),
  name TEXT NOT NULL,
  problem TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN
    ('queued', 'running', 'succeeded', 'failed', 'cancelled', 'interrupted')),
  created_at TEXT NOT NULL CHECK (created_at GLOB '20??-??-??T??:??:??.???Z'),
  started_at TEXT CHECK (started_at GLOB '20??-??-??T??:??:??.???Z'),
  finished_at TEXT CHECK (finished_at GLOB '20??-??-??T??:??:??.???Z'),
  reason TEXT,
  points_done INTEGER NOT NULL DEFAULT 0,
  points_total INTEGER NOT NULL DEFAULT 0,
  wall_s REAL
) STRICT;
INSERT INTO analyses VALUES('5a31aaf5d9537dde','map','old map','stiff_oscillator','succeeded','2026-11-22T14:46:50.905Z','2026-11-22T14:46:50.911Z','2026-11-22T14:46:50.912Z',NULL,6,6,0.00041272999999999998707);
CREATE TABLE analysis_documents (
  analysis_id TEXT NOT NULL PRIMARY KEY REFERENCES analyses ON DELETE CASCADE,
  job TEXT NOT NULL CHECK (json_valid(job)),
  plan TEXT NOT NULL CHECK (json_valid(plan)),
  result TEXT CHECK (result IS NULL OR json_valid(result))
) STRICT;
INSERT INTO analysis_documents VALUES('5a31aaf5d9537dde','{"kind":"map","map":{"macro_steps_s":[1e-05,0.001],"x":{"count":3,"maximum":10000000000.0,"minimum":1,"parameter":"coupling.c_k"},"y":{"count":2,"maximum":1000000.0,"minimum":1,"parameter":"coupling.d_k"}},"name":"old map","problem":"stiff_oscillator","search":{"couplings":["force_displacement"],"extrapolation":["0"]}}','{"kind":"map","name":"old map","problem":"stiff_oscillator","parameters":{},"micro_steps":{},"substeps":{},"within_substep":"held","search":{"couplings":["force_displacement"],"schemes":["jacobi"],"orders":[],"iteration":{"tolerance":1e-08,"maximum":50,"repeats":null},"extrapolation":["0"],"integrators":{"coupling":["exact"],"m1":["exact"],"m2":["exact"]},"corrections":["none"],"correction_parameters":{"mu":null,"nu":0.0,"limit":1.0,"limit_N":null,"quadrature":"rectangle","flow":"last","alpha":1.0,"feedthrough":"ignored","jacobians":"exact","refresh_macro_steps":1,"forgetting":0.99,"theta":0.5,"derivative":"exact"},"macro_step":{"initial_s":2e-05,"increment_s":2e-05,"maximum_s":0.01},"allowed_macro_steps_s":null,"linear_region":{"rule":"baseline_power_law","tolerance":0.35,"points":8,"scan":"geometric","ratio":1.25},"relative_residual_max":null,"minimum_macro_steps":20,"real_time":null,"indicator":"residual_energy"},"tests":[{"name":"none","kind":"none","duration_s":0.3},{"name":"step","kind":"step","duration_s":0.3},{"name":"ramp","kind":"ramp","duration_s":0.3},{"name":"impulse","kind":"impulse","width_s":0.12,"duration_s":0.3},{"name":"sine_50hz","kind":"sine","frequency_hz":50.0,"periods":15.0}],"map":{"x":{"parameter":"coupling.c_k","minimum":1.0,"maximum":10000000000.0,"count":3,"scale":"log"},"y":{"parameter":"coupling.d_k","minimum":1.0,"maximum":1000000.0,"count":2,"scale":"log"},"macro_steps_s":[1e-05,0.001],"quantity":"stability","error_max":0.01,"test":"none"}}','{"problem":"stiff_oscillator","quantity":"stability","limit":1.000000001,"test":null,"x":{"parameter":"coupling.c_k","unit":"N/m","scale":"log","values":[1.0,100000.0,10000000000.0]},"y":{"parameter":"coupling.d_k","unit":"N s/m","scale":"log","values":[1.0,1000000.0]},"macro_steps_s":[1e-05,0.001],"configurations":[{"label":"extrapolation 0","configuration":{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"0","integrators":{"coupling":"exact","m1":"exact","m2":"exact"},"substeps":{},"correction":"none"},"layers":[{"macro_step_s":1e-05,"points_within_limit":2,"points_without_value":[]},{"macro_step_s":0.001,"points_within_limit":1,"points_without_value":[]}],"largest_macro_step_s":[[0.001,1e-05,null],[null,null,null]]}]}');
CREATE TABLE map_axes (
  analysis_id TEXT NOT NULL REFERENCES analyses ON DELETE CASCADE,
  axis TEXT NOT NULL CHECK (axis IN ('x', 'y')),
  position INTEGER NOT NULL CHECK (position >= 0),
  parameter TEXT NOT NULL,
  unit TEXT NOT NULL,
  value REAL NOT NULL,
  PRIMARY KEY (analysis_id, axis, position)
) STRICT, WITHOUT ROWID;
INSERT INTO map_axes VALUES('5a31aaf5d9537dde','x',0,'coupling.c_k','N/m',1.0);
INSERT INTO map_axes VALUES('5a31aaf5d9537dde','x',1,'coupling.c_k','N/m',100000.0);
INSERT INTO map_axes VALUES('5a31aaf5d9537dde','x',2,'coupling.c_k','N/m',10000000000.0);
INSERT INTO map_axes VALUES('5a31aaf5d9537dde','y',0,'coupling.d_k','N s/m',1.0);
INSERT INTO map_axes VALUES('5a31aaf5d9537dde','y',1,'coupling.d_k','N s/m',1000000.0);
CREATE TABLE map_layers (
  analysis_id TEXT NOT NULL REFERENCES analyses ON DELETE CASCADE,
  layer INTEGER NOT NULL CHECK (layer >= 0),
  configuration_id INTEGER NOT NULL,
  coupling TEXT NOT NULL,
  scheme TEXT NOT NULL,
  extrapolation TEXT NOT NULL,
  integrators TEXT NOT NULL CHECK (json_valid(integrators)),
  correction TEXT NOT NULL,
  configuration TEXT NOT NULL CHECK (json_valid(configuration)),
  macro_step_s REAL NOT NULL CHECK (macro_step_s > 0),
  quantity TEXT NOT NULL,
  value_limit REAL NOT NULL,
  columns INTEGER NOT NULL CHECK (columns > 0),
  point_values TEXT NOT NULL CHECK (json_valid(point_values)),
  PRIMARY KEY (analysis_id, layer)
) STRICT;
INSERT INTO map_layers VALUES('5a31aaf5d9537dde',0,0,'force_displacement','jacobi','0','{"coupling":"exact","m1":"exact","m2":"exact"}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"0","integrators":{"coupling":"exact","m1":"exact","m2":"exact"},"substeps":{},"correction":"none"}',1.0000000000000000817e-05,'stability',1.0000000010000000827,3,'[0.9999990000124885,0.9999997554027678,1.0535552860411552,1.0000153917643064,1.0000155238820254,1.0232435176504553]');
INSERT INTO map_layers VALUES('5a31aaf5d9537dde',1,0,'force_displacement','jacobi','0','{"coupling":"exact","m1":"exact","m2":"exact"}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"0","integrators":{"coupling":"exact","m1":"exact","m2":"exact"},"substeps":{},"correction":"none"}',0.0010000000000000000208,'stability',1.0000000010000000827,3,'[0.9999057700146134,1.0069667148854546,22.075116367142655,1.403447325311982,1.403447045182929,1.4171189908304171]');
CREATE TABLE fmus (
  sha256 TEXT NOT NULL PRIMARY KEY CHECK (length(sha256) = 64),
  file_name TEXT NOT NULL,
  model_name TEXT NOT NULL,
  fmi_version TEXT NOT NULL,
  interfaces TEXT NOT NULL CHECK (json_valid(interfaces)),
  size_bytes INTEGER NOT NULL CHECK (size_bytes > 0),
  uploaded_at TEXT NOT NULL CHECK (uploaded_at GLOB '20??-??-??T??:??:??.???Z')
) STRICT;
INSERT INTO fmus VALUES('873a08c5245a57c11166fe30dbf8e02eba9dc752e48c1307524a69fde96c57d7','m1.fmu','linear_oscillator.m1','2.0','["co_simulation","model_exchange"]',1248027,'2026-11-22T14:46:52.018Z');
CREATE TABLE search_tags (
  search_id TEXT NOT NULL REFERENCES searches ON DELETE CASCADE,
  tag TEXT NOT NULL CHECK (tag <> ''),
  created_at TEXT NOT NULL,
  PRIMARY KEY (search_id, tag)
) STRICT, WITHOUT ROWID;
INSERT INTO search_tags VALUES('waits','crane','2025-01-31T12:00:12.000Z');
INSERT INTO search_tags VALUES('filled','kept','2025-01-31T12:00:10.000Z');
INSERT INTO search_tags VALUES('964e940c6479c70b','kept','2026-11-22T14:46:48.867Z');
INSERT INTO search_tags VALUES('waits','rig 2','2025-01-31T12:00:12.000Z');
INSERT INTO search_tags VALUES('964e940c6479c70b','rig 2','2026-11-22T14:46:48.867Z');
CREATE TABLE analysis_idempotency_keys (
  idempotency_key TEXT NOT NULL PRIMARY KEY CHECK (idempotency_key <> ''),
  analysis_id TEXT NOT NULL UNIQUE REFERENCES analyses ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO analysis_idempotency_keys VALUES('old-map-key','5a31aaf5d9537dde');
CREATE TABLE traces (
  id INTEGER PRIMARY KEY,
  search_id TEXT NOT NULL,
  trial_id INTEGER NOT NULL,
  request TEXT NOT NULL CHECK (json_valid(request)),
  status TEXT NOT NULL CHECK (status <> ''),
  reason TEXT,
  points_total INTEGER NOT NULL CHECK (points_total >= 0),
  columns TEXT NOT NULL CHECK (json_valid(columns)),
  rows INTEGER NOT NULL CHECK (rows >= 0),
  series BLOB NOT NULL,
  size_bytes INTEGER NOT NULL CHECK (size_bytes > 0),
  used_at TEXT NOT NULL CHECK (used_at GLOB '20??-??-??T??:??:??.???Z'),
  reference TEXT CHECK (reference IS NULL OR json_valid(reference)),
  reference_reason TEXT,
  UNIQUE (search_id, trial_id, request),
  FOREIGN KEY (search_id, trial_id) REFERENCES trials ON DELETE CASCADE
) STRICT;
INSERT INTO traces VALUES(1,'filled',3,'{}','complete',NULL,5000,'["t","y"]',3,X'789c636080803f2b3f5ef24d4ab087f02eec87f003a0fc0750fa803d0048ec0d0a',4096,'2025-01-31T12:00:40.000Z',NULL,NULL);
CREATE TABLE search_counts (
  what TEXT NOT NULL PRIMARY KEY,
  searches INTEGER NOT NULL
) STRICT;
INSERT INTO search_counts VALUES('disposable',1);
CREATE TABLE step_times (
  search_id TEXT NOT NULL,
  configuration_id INTEGER NOT NULL,
  macro_step_s REAL NOT NULL CHECK (macro_step_s > 0),
  macro_steps INTEGER NOT NULL CHECK (macro_steps > 0),
  median_s REAL NOT NULL,
  p999_s REAL NOT NULL,
  worst_s REAL NOT NULL,
  PRIMARY KEY (search_id, configuration_id, macro_step_s),
  FOREIGN KEY (search_id, configuration_id) REFERENCES configurations ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO step_times VALUES('filled',1,0.00089999999999999997536,5000,1.9999999999999999094e-06,3.9999999999999998188e-06,3.0000000000000000758e-05);
INSERT INTO step_times VALUES('filled',1,0.0017999999999999999507,5000,3.0000000000000000758e-06,5.0000000000000004085e-06,4.0000000000000003269e-05);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('events',17);
CREATE INDEX searches_by_age ON searches (created_at, id);
CREATE INDEX searches_by_status ON searches (status, created_at, id);
CREATE INDEX curves_by_configuration ON curves (search_id, configuration_id);
CREATE UNIQUE INDEX trials_by_curve ON trials (search_id, curve_id, point);
CREATE INDEX recommendations_by_configuration ON recommendations (search_id, configuration_id);
CREATE INDEX events_by_search ON events (search_id, sequence);
CREATE VIEW v_recommendations AS
SELECT r.search_id, s.name AS search_name, s.problem, s.finished_at, r.rule,
       c.coupling, c.scheme, c.extrapolation, c.integrators, c.substeps, c.correction,
       r.macro_step_s, r.bend_s, r.cliff_s, r.relative_residual, r.confidence, r.reason,
       r.recommendation -> '$.warnings' AS warnings,
       r.recommendation ->> '$.sentence' AS sentence,
       r.configuration_id, c.subsystem_order
FROM recommendations AS r
JOIN searches AS s ON s.id = r.search_id
LEFT JOIN configurations AS c USING (search_id, configuration_id);
CREATE VIEW v_trials AS
SELECT t.search_id, t.trial_id, t.curve_id, k.test,
       c.coupling, c.scheme, c.extrapolation, c.integrators, c.correction,
       t.macro_step_s, t.status, t.reason, t.residual_J, t.startup_residual_J, t.relative_residual,
       t.nrmse, t.macro_steps, t.rhs_evaluations, t.wall_s,
       k.configuration_id, c.substeps, c.subsystem_order
FROM trials AS t
JOIN curves AS k USING (search_id, curve_id)
JOIN configurations AS c USING (search_id, configuration_id);
CREATE VIEW v_residual_curves AS
SELECT t.search_id, t.curve_id, k.test,
       c.coupling, c.scheme, c.extrapolation, c.integrators, c.correction,
       t.macro_step_s, t.residual_J, t.relative_residual, t.status, t.inside_linear_region,
       k.bend_s, k.cliff_s, k.flags, k.counts,
       k.configuration_id, c.substeps, c.subsystem_order, k.stability_limit_s
FROM trials AS t
JOIN curves AS k USING (search_id, curve_id)
JOIN configurations AS c USING (search_id, configuration_id);
CREATE INDEX analyses_by_age ON analyses (created_at, id);
CREATE INDEX analyses_by_status ON analyses (status, created_at, id);
CREATE VIEW v_map_points AS
SELECT l.analysis_id, a.name AS analysis_name, a.problem, l.configuration_id,
       l.coupling, l.scheme, l.extrapolation, l.integrators, l.correction,
       x.parameter AS x_parameter, x.value AS x_value, x.unit AS x_unit,
       y.parameter AS y_parameter, y.value AS y_value, y.unit AS y_unit,
       l.macro_step_s, l.quantity,
       CASE WHEN p.type <> 'text' THEN p.value END AS value,
       CASE WHEN p.type <> 'text' THEN p.value <= l.value_limit END AS within_limit,
       CASE WHEN p.type = 'text' THEN p.value END AS reason,
       l.configuration
FROM map_layers AS l
JOIN analyses AS a ON a.id = l.analysis_id
CROSS JOIN json_each(l.point_values) AS p
CROSS JOIN map_axes AS x ON x.analysis_id = l.analysis_id AND x.axis = 'x'
  AND x.position = p.key % l.columns
CROSS JOIN map_axes AS y ON y.analysis_id = l.analysis_id AND y.axis = 'y'
  AND y.position = p.key / l.columns;
CREATE INDEX fmus_by_age ON fmus (uploaded_at, sha256);
CREATE INDEX fmus_by_file_name ON fmus (file_name);
CREATE INDEX fmus_by_model_name ON fmus (model_name);
CREATE VIEW v_fmus AS
SELECT sha256, file_name, model_name, fmi_version, interfaces, size_bytes, uploaded_at FROM fmus;
CREATE INDEX searches_by_problem ON searches (problem, created_at, id);
CREATE TRIGGER searches_inserted AFTER INSERT ON searches BEGIN
  UPDATE searches SET name_key = lower(NEW.name), end_key = ifnull(NEW.finished_at, '~')
  WHERE id = NEW.id;
END;
CREATE TRIGGER searches_updated AFTER UPDATE OF name, finished_at ON searches BEGIN
  UPDATE searches SET name_key = lower(NEW.name), end_key = ifnull(NEW.finished_at, '~')
  WHERE id = NEW.id;
END;
CREATE INDEX searches_by_name ON searches (name_key, id);
CREATE INDEX searches_by_end ON searches (end_key, id);
CREATE INDEX search_tags_by_tag ON search_tags (tag, created_at, search_id);
CREATE VIEW v_searches AS
SELECT s.id AS search_id, s.name AS search_name, s.problem, s.status, s.created_at, s.started_at,
       s.finished_at, s.note,
       (SELECT json_group_array(t.tag) FROM search_tags AS t WHERE t.search_id = s.id) AS tags,
       s.priority, s.trials_done AS trials, s.cost_rhs_evaluations AS rhs_evaluations,
       s.cost_wall_s AS wall_s, s.reason
FROM searches AS s;
CREATE INDEX traces_by_use ON traces (used_at, id, size_bytes);
CREATE VIEW v_traces AS
SELECT r.search_id, r.trial_id, t.curve_id, k.test, t.macro_step_s, r.request, r.status, r.reason,
       r.points_total, r.columns, r.rows, r.series, r.reference, r.reference_reason
FROM traces AS r
JOIN trials AS t USING (search_id, trial_id)
JOIN curves AS k USING (search_id, curve_id);
CREATE VIEW v_indicators AS
WITH trial AS NOT MATERIALIZED (
  SELECT t.search_id, t.trial_id, t.curve_id, k.configuration_id, k.test, t.macro_step_s, t.status,
         t.residual_J, t.startup_residual_J, t.relative_residual, t.transmitted_J,
         t.bond_residuals_J, t.nrmse, t.macro_steps, t.rhs_evaluations, t.cost, t.wall_s
  FROM trials AS t JOIN curves AS k USING (search_id, curve_id))
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'residual_energy' AS indicator, NULL AS power_bond, residual_J AS value, 'J' AS unit
FROM trial
UNION ALL
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'startup_residual_energy', NULL, startup_residual_J, 'J' FROM trial
UNION ALL
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'bond_residual_energy', b.key, CAST(b.value AS REAL), 'J'
FROM trial CROSS JOIN json_each(bond_residuals_J) AS b
UNION ALL
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'relative_residual', NULL, relative_residual, '1' FROM trial
UNION ALL
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'transmitted_energy', NULL, transmitted_J, 'J' FROM trial
UNION ALL
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'nrmse', NULL, nrmse, '1' FROM trial
UNION ALL
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'macro_steps', NULL, CAST(macro_steps AS REAL), '1' FROM trial
UNION ALL
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'rhs_evaluations', NULL, CAST(rhs_evaluations AS REAL), '1' FROM trial
UNION ALL
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'weighted_rhs_evaluations', NULL, cost, '1' FROM trial
UNION ALL
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'wall_time', NULL, wall_s, 's' FROM trial;
CREATE INDEX searches_disposable ON searches (end_key, id) WHERE tagged = 0 AND end_key < '~';
CREATE TRIGGER search_tags_inserted AFTER INSERT ON search_tags BEGIN
  UPDATE searches SET tagged = 1 WHERE id = NEW.search_id AND tagged = 0;
END;
CREATE TRIGGER search_tags_deleted AFTER DELETE ON search_tags BEGIN
  UPDATE searches SET tagged = 0 WHERE id = OLD.search_id
    AND NOT EXISTS (SELECT 1 FROM search_tags WHERE search_id = OLD.search_id);
END;
CREATE TRIGGER searches_counted AFTER UPDATE OF tagged, end_key ON searches
WHEN (OLD.tagged = 0 AND OLD.end_key < '~') <> (NEW.tagged = 0 AND NEW.end_key < '~') BEGIN
  UPDATE search_counts
  SET searches = searches + iif(NEW.tagged = 0 AND NEW.end_key < '~', 1, -1)
  WHERE what = 'disposable';
END;
CREATE TRIGGER searches_deleted AFTER DELETE ON searches
WHEN OLD.tagged = 0 AND OLD.end_key < '~' BEGIN
  UPDATE search_counts SET searches = searches - 1 WHERE what = 'disposable';
END;
CREATE VIEW v_step_times AS
SELECT search_id, configuration_id, macro_step_s, macro_steps, median_s, p999_s, worst_s
FROM step_times;
COMMIT;
PRAGMA application_id = 1296257876;
PRAGMA user_version = 6;
